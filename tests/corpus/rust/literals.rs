//! Templates: escapes resolved, line breaks swallowed, holes kept.

const NAME: &str = "a name";

fn templates(id: u8, e: Error) {
    panic!("quoted \"{id}\" and \\ and \u{1F600} and \x21\ttab");
    panic!("continued \
            over lines \

            with a gap");
    panic!("kept
    as it stands");
    panic!(r"raw \n {id:?}");
    panic!(r##"raw "# {{id}} "##);
    panic!(concat!("con", "cat ", stringify!(id), ' ', 3, concat!("!", "?")));
    panic!("{}", NAME);
    panic!("{e}");
    panic!(NAME);
    panic!("{}: {:>width$.2}", 1, 2.0, width = 3);
    panic!["brackets"];
    panic! { "braces" };
    std::panic!("with a path");
    core :: unreachable ! ("spaced");
    call().expect("plain text");
    call().expect(&format!("formatted {id}"));
    call().expect(format!("formatted {}", id).as_str());
    call().expect(concat!("glued", " text"));
    call().expect(NAME);
    call().expect(&NAME.to_string());
    call().expect_err("should fail");
    call().unwrap_or_else(|e| panic!("closure {e}"));
    call().unwrap_or_default();
    self.expect();
    assert!(id > 1);
    assert!(id > 1,);
    assert!(id > 1 , "with text {}", id,);
    assert!(
        list
            .iter() // each
            .all(|x| x.get::<A, B>() == Some(')')),
    );
    assert!(a::<B, C>(id) == "x,  y", NAME);
    assert_eq!(a(1, 2), [1, 2]);
    assert_eq!(a, b, "text of {id}");
    assert_ne!(a, b, concat!("ne", "xt"));
    debug_assert!(!done);
    debug_assert_eq!(a, b);
    debug_assert_ne!(a, b, "never {a}");
    todo!();
    unimplemented!("Not {} yet", 'x');
    if !(id > 2) { return; }
    let b = b"panic!(\"bytes\")";
    let c = c"panic!(\"c string\")";
    let lifetimes: Foo<'a, 'b> = '"'.into(); panic!("after a quote");
}
