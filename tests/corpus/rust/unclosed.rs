//! Cut in the middle of a call: brackets and a string stay open.

fn whole() {
    panic!("whole");
}

struct Cut;

impl Cut {
    fn cut(&self) -> u8 {
        self.first().unwrap();
        panic!("cut here: x.unwrap() todo!()
