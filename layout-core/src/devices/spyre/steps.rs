//! Numbers as digits with arbitrary weights: how the device dimensions split the host dimensions.

use alloc::vec::Vec;

use crate::devices::numbers::times;
use crate::devices::{MAX_DIMENSIONS, Placement};
use crate::error::{LayoutError, SpyreError};

/// A dimension of the device: a digit of an index.
#[derive(Clone, Copy)]
pub(super) struct Digit {
    /// The host dimension that it is a digit of.
    pub(super) index: usize,
    /// The weight of one step.
    pub(super) weight: usize,
    /// Its position in the device.
    pub(super) position: usize,
}

/// A number that the device splits: a host dimension, or several joined ones.
#[derive(Clone, Copy)]
pub(super) struct Index {
    pub(super) extent: usize,
    /// The coefficient of each host dimension.
    pub(super) row: [usize; MAX_DIMENSIONS],
}

impl Index {
    /// An index for each host dimension.
    #[inline]
    pub(super) fn of_host(size: &[usize]) -> Vec<Self> {
        let unit = |d: usize| {
            let mut row = [0; MAX_DIMENSIONS];
            row[d] = 1;
            row
        };
        size.iter().enumerate().map(|(d, &extent)| Self { extent, row: unit(d) }).collect()
    }

    /// The placement of a host whose indices have these digits on a row-major device.
    #[inline]
    pub(super) fn placement(
        size: &[usize],
        device_size: &[usize],
        indices: &[Self],
        digits: &[Digit],
    ) -> Result<Placement, LayoutError> {
        let mut strides = Vec::from_iter(device_size.iter().map(|_| 1usize));
        let mut storage = 1;
        for (stride, &extent) in strides.iter_mut().zip(device_size).rev() {
            *stride = storage;
            storage = times(storage, extent, "device_size")?;
        }
        let mut builder = Placement::builder(size, storage, 1)?;
        for (d, index) in indices.iter().enumerate() {
            builder = builder.dimension(index.extent, &index.row[..size.len()])?;
            if index.extent == 1 {
                continue;
            }
            for (extent, leaves) in index.pieces(d, device_size, digits)? {
                builder = builder.piece(extent)?;
                for digit in leaves {
                    let position = digit.position;
                    builder = builder.leaf(device_size[position], strides[position])?;
                }
            }
        }
        builder.build()
    }

    /// The digits of this index in groups, innermost first, each with its extent: the weight of the
    /// next group divided by its own weight. Within a group the digits leave no gaps.
    #[inline]
    fn pieces(
        &self,
        dimension: usize,
        device_size: &[usize],
        digits: &[Digit],
    ) -> Result<Vec<(usize, Vec<Digit>)>, LayoutError> {
        let no_room = |extent: usize, room: usize| -> LayoutError {
            SpyreError::NoRoom { dimension, extent, room }.into()
        };
        let mut own: Vec<Digit> =
            digits.iter().filter(|digit| digit.index == dimension).copied().collect();
        let stick = device_size.len() - 1;
        // Of digits with equal weight only the last one before the stick is used: the others are 0.
        own.sort_by_key(|digit| {
            (digit.weight, digit.position == stick, usize::MAX - digit.position)
        });
        own.dedup_by_key(|digit| digit.weight);
        // A digit with a weight beyond the extent is always 0.
        own.retain(|digit| digit.weight < self.extent);
        let Some(first) = own.first() else { return Err(no_room(self.extent, 1)) };
        refuse!(first.weight != 1, no_room(first.weight.min(self.extent), 1));
        let mut pieces: Vec<(usize, Vec<Digit>)> = Vec::new();
        // The weight of the group, and the product of its digits' extents.
        let (mut weight, mut room, mut group) = (1usize, 1usize, Vec::new());
        for digit in own {
            let exact = weight.checked_mul(room) == Some(digit.weight);
            if !exact {
                let extent = digit.weight / weight;
                if !digit.weight.is_multiple_of(weight) {
                    let (position, step) = (digit.position, digit.weight as isize);
                    return Err(SpyreError::NoSuchStep { position, step }.into());
                }
                refuse!(extent > room, no_room(extent, room));
                pieces.push((extent, core::mem::take(&mut group)));
                (weight, room) = (digit.weight, 1);
            }
            group.push(digit);
            room = room.saturating_mul(device_size[digit.position]);
        }
        let extent = self.extent.div_ceil(weight);
        refuse!(extent > room, no_room(self.extent, room.saturating_mul(weight)));
        pieces.push((room, group));
        Ok(pieces)
    }
}
