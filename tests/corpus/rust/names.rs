//! What a file defines.

pub const LIMIT: usize = 3;
static mut COUNT: u8 = 0;
pub type Alias<T> = Vec<T>;

pub struct Unit;
pub struct Pair(u8, u16);

#[derive(Clone)]
pub(crate) struct Named<T, const N: usize> {
    #[serde(rename = "other")]
    pub first: HashMap<String, T>,
    pub(crate) r#type: [u8; N],
    third: fn(u8) -> u8,
}

pub enum Choice {
    /// One.
    One,
    #[default]
    Two(u8, Named<u8, 3>),
    Three { depth: u8, width: Vec<(u8, u8)> },
    Four = 4,
}

union Bits {
    int: u32,
    float: f32,
}

pub trait Shape {
    type Output;
    const RANK: usize;
    fn required(&self) -> &'static str;
}

mod inner;

macro_rules! exported {
    ($x:ident) => {};
}

const fn computed() -> *const u8 {
    let local = Other { first: 1 };
    const _: () = ();
    core::ptr::null()
}
