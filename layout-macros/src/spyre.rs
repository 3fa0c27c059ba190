//! Spyre layouts: one type for each number of the notation.

use layout_core::devices::spyre::SpyreLayout;
use proc_macro2::TokenStream;
use quote::quote;

use crate::lower::Lowering;

impl Lowering<'_> {
    /// `Spyre::<S, E, D, M, H>`: both a type and a value.
    pub(crate) fn spyre(&self, layout: &SpyreLayout) -> TokenStream {
        let krate = self.krate;
        let (size, element) = (self.numbers(layout.size()), self.constant(layout.element()));
        let device_size = self.numbers(layout.device_size());
        let dimensions = layout.dim_map().iter().filter_map(|&d| usize::try_from(d).ok());
        let end = if layout.is_sparse() { quote!(Synthetic) } else { quote!(Nil) };
        let map = dimensions.rev().fold(quote!(#krate::__private::#end), |rest, dimension| {
            let dimension = self.integer(dimension);
            quote!(#krate::__private::Cons<#dimension, #rest>)
        });
        let stride = if layout.is_contiguous() {
            quote!(#krate::__private::Contiguous)
        } else {
            self.numbers(layout.stride())
        };
        quote!(#krate::Spyre::<#size, #element, #device_size, #map, #stride>)
    }
}
