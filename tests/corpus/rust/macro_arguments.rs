//! Macro arguments are flat token trees: what panics inside them is found all the same.
use std::collections::HashMap;

fn compare(map: &HashMap<String, u8>, other: Option<u8>) {
    assert_eq!(map.get("a").copied().unwrap(), other.expect("an other"));
    println!("{} {}", other.unwrap(), vec![map.get("b").expect("b is there"); 2].len());
    debug_assert!(matches!(other, Some(n) if n > map.values().max().copied().unwrap()), "none is {}", "larger");
    let _ = std::iter::repeat_with(|| todo!("fill {}", 1)).take(2).fold(0, |a: u8, b: u8| a + b);
}

some_crate::item_macro! {
    struct Held;

    impl Held {
        fn held(&self) -> u8 {
            panic!("held in a macro's argument")
        }
    }

    impl Clone for Held {
        fn clone(&self) -> Self {
            unimplemented!("no clone")
        }
    }
}
