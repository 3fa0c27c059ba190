#![doc = include_str!("../../docs/guide/interop.md")]
