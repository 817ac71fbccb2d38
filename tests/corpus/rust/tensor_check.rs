//! Tensor checks: the call is printed, the words stand in the check.

pub enum TensorCheck {
    Ok,
    Failed(Failed),
}

impl TensorCheck {
    pub fn same_device(ops: &str) -> Self {
        Self::Ok.on_device(ops).has_rank::<3>(ops)
    }

    pub(crate) fn reshape<const D: usize>(from: &Shape, to: &Shape) -> Self {
        let mut check = Self::Ok;
        if from.len() != to.len() {
            check = check.register(
                "Reshape",
                TensorError::new("The shapes hold different numbers of elements.").details(format!(
                    "From {:?} \
                     to {to:?}.",
                    from
                )),
            );
        }
        check.combined(TensorCheck::same_device("Reshape"))
    }

    fn on_device(self, ops: &str) -> Self {
        let shape = self.shape().reshape(3);
        self.register(ops, crate::TensorError::new(format!("Not on one device: {}", ops)))
    }

    fn has_rank<const D: usize>(mut self, reason: String) -> Self {
        self.register("Rank", TensorError::new(reason))
            .register("Rank", TensorError::new(reason).details("a rank is needed"))
    }

    fn combined(self, other: Self) -> Self {
        other
    }
}

macro_rules! check {
    ($check:expr) => {
        if let TensorCheck::Failed(check) = $check {
            core::panic!("{}", check.format());
        }
    };
}

impl<B: Backend, const D: usize> Tensor<B, D> {
    pub fn reshape<const E: usize>(self, shape: Shape) -> Tensor<B, E> {
        check!(TensorCheck::reshape::<D>(&self.shape(), &shape));
        macros::check!(
            TensorCheck::same_device("Reshape")
        );
        check!({ make() });
    }
}
