//! The grammar fails on this file (`~` in `seq!`, an or-pattern in a field, a stray token); the fall-back must not.

/// Not a site: panic!("in a doc comment")
impl<E: Clone, const N: usize> Simd<E> for Vector<E, { N + 1 }>
where
    E: Into<f32>,
{
    fn add(&self) -> E {
        // panic!("in a comment"); x.unwrap()
        /* unreachable!() /* nested: todo!() */ x.expect("no") */
        let text = "panic!(\"in a string\") and x.unwrap()";
        let raw = r#"unimplemented!("in a raw string")"#;
        match self.scheme {
            Scheme { value: Value::A | Value::B, level: Level::Block(_) | Level::Tensor, .. } => self.a.unwrap(),
            _ => unimplemented!("Scheme {:?} is not supported", text),
        }
    }
}

seq!(N in 0..4 {
    fn unrolled() {
        let lhs~N = load(N);
        assert!(lhs~N > 0, "lane is positive");
    }
});

let stray = ;

pub mod deeper {
    pub trait Provided {
        fn given(&self) {
            fn nested() {
                panic!("nested {}", 1)
            }
        }

        fn required(&self);
    }

    #[cfg(test)]
    mod tests {
        fn t() {
            panic!("test")
        }
    }
}
