//! Tenstorrent layouts: one type for each part of the notation.

use layout_core::devices::tenstorrent::MetalLayout;
use proc_macro2::TokenStream;
use quote::quote;

use crate::lower::Lowering;

impl Lowering<'_> {
    /// `Tenstorrent::<S, E, M, G, B, F, P>`: both a type and a value.
    pub(crate) fn tenstorrent(&self, layout: &MetalLayout) -> TokenStream {
        let krate = self.krate;
        let (shape, grid) = (self.numbers(layout.shape()), self.numbers(layout.grid()));
        let rows = (0..layout.map().results()).map(|i| self.numbers(layout.map().row(i)));
        let mut map = self.list(rows.collect());
        if layout.has_room() {
            let physical = self.numbers(layout.physical());
            map = quote!(#krate::__private::PaddedMap<#map, #physical>);
        }
        let (element, stored) = (self.constant(layout.element()), self.constant(layout.stored()));
        let (fill, space) = (self.constant(layout.fill()), self.constant(layout.space()));
        let buffers = match layout.tile() {
            None => quote!(#krate::__private::Scalars<#stored>),
            Some(tile) => {
                let (height, width) = (self.integer(tile.height()), self.integer(tile.width()));
                let tiles = quote!(#krate::__private::Tiles<#height, #width, #stored>);
                tile.face().map_or(tiles.clone(), |(height, width)| {
                    let (height, width) = (self.integer(height), self.integer(width));
                    quote!(#krate::__private::Faces<#height, #width, #tiles>)
                })
            }
        };
        quote!(#krate::Tenstorrent::<#shape, #element, #map, #grid, #buffers, #fill, #space>)
    }
}
