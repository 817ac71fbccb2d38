//! Functions that show their caller's line, and those that do not.

#[track_caller]
pub fn seen(x: Option<u8>) -> u8 {
    x.expect("shown at the caller")
}

#[cfg_attr(debug_assertions, track_caller)]
pub(crate) const unsafe fn behind_cfg(x: u8) {
    assert!(x > 1);
}

struct Taker;

impl Taker {
    /// Documented.
    #[inline(always)]
    #[track_caller]
    // a remark between
    pub async fn take(self) {
        panic!("taken")
    }

    fn plain(&self) {
        fn inner() {
            panic!("inner")
        }
        let closure = || panic!("in a closure");
        inner();
        closure();
    }
}
