//! Converts coordinates of the host to coordinates of the device, and back.

use crate::devices::MAX_DIMENSIONS;
use crate::devices::numbers::{check_coordinate, flat};
use crate::devices::spyre::SpyreLayout;
use crate::devices::spyre::layout::SYNTHETIC;
use crate::engine::{IntTuple, MAX_LEAVES};
use crate::error::LayoutError;

impl SpyreLayout {
    /// The device coordinate of the element with this host coordinate. Each host dimension is a
    /// mixed-radix number whose digits are its device dimensions; the innermost one is the least
    /// significant.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, spyre::SpyreLayout};
    /// let l = SpyreLayout::dense(&[128, 256, 512], ElementType::F16, None)?;
    /// assert_eq!(l.device_coordinate(&[5, 7, 3 * 64 + 9])?.to_string(), "(7,3,5,9)");
    /// assert_eq!(l.host_coordinate(&[7, 3, 5, 9])?.unwrap().to_string(), "(5,7,201)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the host.
    #[inline]
    pub const fn device_coordinate(&self, host: &[usize]) -> Result<IntTuple, LayoutError> {
        attempt!(check_coordinate(host, self.size()));
        let (mut device, mut rest) = ([0; MAX_LEAVES], [0; MAX_DIMENSIONS]);
        let mut d = 0;
        while d < self.rank {
            rest[d] = host[self.kept[d]];
            d += 1;
        }
        repeat_rev!(p, 0..self.device_rank, {
            if self.dim_map[p] != SYNTHETIC {
                let d = self.dim_map[p] as usize;
                device[p] = rest[d] % self.device_size[p];
                rest[d] /= self.device_size[p];
            }
        });
        flat(device.split_at(self.device_rank).0)
    }

    /// The host coordinate of the element at this device coordinate; the integer 0 for a host
    /// without dimensions, `None` for padding.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the device.
    #[inline]
    pub const fn host_coordinate(&self, device: &[usize]) -> Result<Option<IntTuple>, LayoutError> {
        attempt!(check_coordinate(device, self.device_size()));
        let mut host = [0; MAX_DIMENSIONS];
        repeat!(p, 0..self.device_rank, {
            match self.weight(p) {
                Some(weight) => {
                    host[self.kept[self.dim_map[p] as usize]] += device[p] * weight;
                }
                None if device[p] != 0 => return Ok(None),
                None => {}
            }
        });
        repeat!(d, 0..self.host_rank, {
            if host[d] >= self.size[d] {
                return Ok(None);
            }
        });
        if self.host_rank == 0 {
            return Ok(Some(IntTuple::leaf(0)));
        }
        match flat(host.split_at(self.host_rank).0) {
            Ok(host) => Ok(Some(host)),
            Err(error) => Err(error),
        }
    }

    /// The offset on the device of the element with this host coordinate, in elements.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the host.
    #[inline]
    pub const fn offset(&self, host: &[usize]) -> Result<usize, LayoutError> {
        let device = attempt!(self.device_coordinate(host));
        Ok(dot(device.leaves(), &self.device_stride))
    }

    /// The offset in the host memory of this element, in elements.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the host.
    #[inline]
    pub const fn host_offset(&self, host: &[usize]) -> Result<usize, LayoutError> {
        attempt!(check_coordinate(host, self.size()));
        Ok(dot(host, &self.stride))
    }
}

#[inline]
const fn dot(coordinate: &[usize], strides: &[usize]) -> usize {
    let mut sum = 0;
    repeat!(i, 0..coordinate.len(), {
        sum += coordinate[i] * strides[i];
    });
    sum
}
