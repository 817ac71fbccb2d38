//! Attribute lines that a panic of the expansion is printed at.
use cubecl::prelude::*;

#[cube]
pub fn plain(x: u32) -> u32 {
    x
}

    #[cube(launch_unchecked, create_dummy_kernel)]
    #[allow(unused)]
    fn launched<F: Float>(x: &Tensor<F>) {}

#[cfg_attr(feature = "cube", cubecl::cube(launch))]
fn conditional() {}

#[cubecl::cube]
pub trait Family {
    fn step(&self);
}

#[cube]
impl<F: Float> Family for Unit<F> {
    #[comptime]
    fn step(&self) {
        comptime!(panic!("at comptime"));
    }
}

// #[cube]
const TEXT: &str = "#[cube]";

#[derive(CubeType)]
struct NoCube;
