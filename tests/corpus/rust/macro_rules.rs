//! Bodies of `macro_rules!` are flagged, calls of those that can panic are sites.

macro_rules! direct {
    ($value:expr) => {
        match $value {
            Some(v) => v,
            None => panic!("direct: nothing in {}", stringify!($value)),
        }
    };
}

macro_rules! through_another {
    ($value:expr) => {{
        let inner = direct!($value);
        inner + 1
    }};
}

macro_rules! harmless {
    ($value:expr) => {
        $value
    };
}

macro_rules! defines_a_function {
    ($name:ident) => {
        fn $name(x: Option<u8>) -> u8 {
            x.unwrap()
        }

        macro_rules! defined_inside {
            () => {
                unreachable!()
            };
        }
    };
}

defines_a_function!(made);

fn calls(x: Option<u8>) -> u8 {
    let a = harmless!(through_another!(x));
    let b = crate::direct!(x);
    not_known_here!(a);
    unwrapped_elsewhere! { b };
    a + b
}

impl Holder {
    fn held(&self) -> u8 {
        direct![self.0]
    }
}
