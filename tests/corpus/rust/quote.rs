//! Code inside `quote!` belongs to another place: its words are shown, its line never is.

fn expand(input: Input) -> TokenStream {
    let name = input.name.expect("a named item");
    let body = quote! {
        impl Generated {
            fn run(&self) {
                panic!("generated for {}", stringify!(#name));
            }
        }
    };
    quote_spanned!(span => self.value.unwrap());
    assert!(body.is_some());
    body
}
