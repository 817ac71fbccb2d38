//! How functions are named: impl or trait before, generics and module paths left out.

fn free() {
    panic!("free");
}

impl Plain {
    fn method(&self) {
        panic!("method");
    }
}

impl<'a, B: Backend, F: Fn(B) -> u8, const D: usize> crate::deep::Generic<'a, B, D>
where
    F: Send,
{
    fn method<T: Into<Vec<u8>>>(self: Box<Self>) -> impl Iterator<Item = T> {
        panic!("generic")
    }
}

unsafe impl<B> ops::FloatOps<Self> for burn::Fusion<B>
where
    for<'x> B: Backend<'x>,
{
    fn float_add() {
        panic!("trait");
    }
}

impl<T> From<Vec<T>> for &mut [T] {
    fn from(v: Vec<T>) -> Self {
        panic!("slice")
    }
}

impl fmt::Debug for dyn Stream + Send {
    fn fmt(&self) {
        panic!("dyn")
    }
}

pub trait Provided<T>: Sized {
    const LIMIT: usize = Self::limit().unwrap();

    fn required(&self);

    fn provided(&self) {
        panic!("provided");
    }
}

fn outer() {
    struct Local;

    impl Local {
        fn method() {
            panic!("local");
        }
    }

    fn inner() {
        fn innermost() {
            panic!("innermost");
        }
    }

    let closure = |x: Option<u8>| x.unwrap();
}

mod a {
    pub(super) mod b {
        pub extern "C" fn exported() {
            panic!("exported");
        }
    }
}

static TABLE: Lazy<u8> = Lazy::new(|| compute().expect("a table"));

extern "C" {
    fn foreign(x: u8);
}

type Callback = fn(u8) -> u8;
