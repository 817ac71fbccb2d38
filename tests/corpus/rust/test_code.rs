//! What counts as test code.

#[cfg(test)]
mod unit;

#[cfg(all(test, feature = "std"))]
pub(crate) mod unit_std;

#[cfg(any(test, feature = "other"))]
mod shared;

#[cfg(feature = "export_tests")]
mod exported;

mod real;

pub fn library() {
    panic!("library");
}

#[cfg(not(test))]
fn not_in_tests() {
    panic!("outside of tests");
}

#[test]
#[should_panic(expected = "in a test")]
fn a_test() {
    panic!("in a test");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tokio_test() {
    library_call().await.unwrap();
}

#[cfg(test)]
impl Fixture {
    fn build() -> Self {
        todo!("build")
    }
}

#[cfg(any(test, feature = "testing"))]
mod helpers_for_tests {
    pub fn assert_close(a: f32, b: f32) {
        assert!((a - b).abs() < 0.1, "{a} is not close to {b}");
    }
}

mod tests {
    use super::*;

    fn by_the_modules_name() {
        assert_eq!(1, 2);
    }
}

macro_rules! testgen_all {
    () => {
        #[test]
        fn generated() {
            panic!("generated test");
        }
    };
}

#[burn_tensor_testgen::testgen(add)]
mod generated_add {
    fn check() {
        None::<u8>.unwrap();
    }
}
