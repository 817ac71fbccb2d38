//! Columns are display columns: a tab is four, a wide letter two, an accent one, a combining mark none.
fn columns() {
	panic!("tab");
	 	panic!("tab, blank, tab");
    let _ = "日本"; panic!("wide");
    let _ = 'é'; panic!("accent");
    let _ = "e\u{301}é"; panic!("combining");
    let _ = "🔥"; value
        .map(|x| x)
        .  unwrap ( );
    let x = value.expect("one").expect("two"); /* é */ x.unwrap_err();
    Some(1).
        expect("dot on the line before");
    a::b::  c::panic!("path");
    $crate::panic!("crate path");
    value.lock()?.await.get::<Foo<Bar<u8>>>().unwrap();
    (value)[0].unwrap();
    value.field.unwrap();
    call(1, (2)).unwrap();
    Type::<u8>::make(1).expect("made");
    call!(3).unwrap();
    future().await.unwrap();
}
