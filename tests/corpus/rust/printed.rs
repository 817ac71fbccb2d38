//! A program that panics in every way the index knows, each at a place of its own. `printed.expected.json` holds what
//! rustc 1.95 printed for it: line, column and first line of each message. Lines with tabs and wide letters are meant.
#![allow(unused, unconditional_panic, clippy::all)]
use std::panic::{self, PanicHookInfo};
use std::sync::{Mutex, mpsc};

macro_rules! must {
    ($cond:expr) => {
        if !$cond {
            panic!("must hold: {}", stringify!($cond))
        }
    };
}

macro_rules! outer_must {
    ($cond:expr) => {
        must!($cond)
    };
}

macro_rules! passes {
    ($value:expr) => {
        $value
    };
}

struct Shape {
    dims: Vec<usize>,
}

impl Shape {
    fn rank(&self) -> Result<usize, String> {
        Err(format!("no rank for {:?}", self.dims))
    }
}

fn run(f: fn()) {
    let _ = panic::catch_unwind(f);
}

fn main() {
    panic::set_hook(Box::new(|info: &PanicHookInfo| {
        let at = info.location().unwrap();
        let text = info.payload_as_str().unwrap_or("Box<dyn Any>");
        println!("{}\t{}\t{:?}", at.line(), at.column(), text);
    }));
    run(|| panic!());
    run(|| panic!("plain"));
    run(|| {
        let x = 3;
        panic!("one {x:?} and {} and {{braces}}", x + 1)
    });
    run(|| core::panic!("by path"));
    run(|| std :: panic ! ("spaced path"));
    run(|| ::std::panic!("rooted path"));
    run(|| {
        panic!(
            "over \
             two lines"
        )
    });
    run(|| panic!(r#"raw "text" \n"#));
    run(|| panic!(concat!("glued ", "text ", 7)));
    run(|| panic!("tab \t and \u{e9} and \x41"));
    run(|| todo!());
    run(|| todo!("later {}", 1));
    run(|| unimplemented!());
    run(|| unimplemented!("never"));
    run(|| unreachable!());
    run(|| unreachable!("not {}", "here"));
    run(|| {
        let x = vec![1, 2, 3];
        assert!(
            x
                .iter() // each of them
                .all(|v| *v > 2)
        )
    });
    run(|| assert!("a(b".contains(')')));
    run(|| assert!(matches!(Some(1), None), "text of {}", "its own"));
    run(|| assert_eq!(1 + 1, 3));
    run(|| assert_eq!(1 + 1, 3, "sum of {}", "ones"));
    run(|| assert_ne!(2, 2, "same"));
    run(|| debug_assert!(1 > 2, "debug {}", 1));
    run(|| debug_assert_eq!(1, 2));
    run(|| debug_assert_ne!(1, 1));
    run(|| {
        let n: Option<u8> = None;
        n.unwrap();
    });
    run(|| {
        let n: Option<u8> = None;
        n.expect("a number");
    });
    run(|| {
        let name = "x";
        let n: Option<u8> = None;
        n.expect(&format!("a number for {name}"));
    });
    run(|| {
        "x".parse::<u8>()
            .map(|v| v + 1)
            .expect("digits");
    });
    run(|| {
        Ok::<u8, u8>(3)
            .unwrap_err();
    });
    run(|| {
        Ok::<u8, u8>(3).expect_err("an error");
    });
    run(|| {
        let shape = Shape { dims: vec![] };
        shape.rank().unwrap();
    });
    run(|| {
        let n: Option<u8> = None;
        n.unwrap_or_else(|| panic!("from a closure"));
    });
    run(|| {
        let n: Option<u8> = None;
        assert_eq!(n.unwrap(), 3);
    });
    run(|| {
        let n: Option<u8> = None;
        println!("{}", vec![n.expect("inside two macros")].len());
    });
    run(|| must!(1 > 2));
    run(|| {
        outer_must!(
            2 > 3
        )
    });
    run(|| passes!({ passes!(panic!("passed in")) }));
	run(|| panic!("behind a tab"));
	run(|| {	let _ = 1;	panic!("behind tabs") });
    run(|| { let _ = "日本語"; panic!("behind wide letters") });
    run(|| { let _ = "éàü"; panic!("behind accents") });
    run(|| { let _ = ("e\u{301} é", '日'); panic!("behind a combining mark é") });
    run(|| { /* panic!("no") */ panic!("behind a comment") });
    run(|| { let _ = '"'; panic!("behind a quote letter") });
    run(|| { let _ = b'\''; let _: &'static str = "\\"; panic!("behind escapes") });
    run(|| { let _ = r##"panic!("# no")"##; panic!("behind a raw string") });
    run(|| {
        let lock = Mutex::new(1);
        drop(lock.lock().unwrap());
        let (sender, receiver) = mpsc::channel::<u8>();
        drop(sender);
        receiver
            .recv()
            .unwrap();
    });
}
