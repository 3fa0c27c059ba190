//! The public vectors of Spyre layouts as types. Generated; do not edit.
//!
//! ```text
//! BLESS=1 cargo test --test spyre
//! ```
#![cfg_attr(rustfmt, rustfmt_skip)]

use static_layout::layout;
use static_layout::devices::AnyPlacement;
use static_layout::devices::spyre::SpyreLayout;
use static_layout::devices::spyre::StaticSpyre;

/// The type has the layout that its text has at run time, and its placement.
fn same<L: StaticSpyre + AnyPlacement + ToString>(value: L, text: &str) {
    let l = SpyreLayout::parse(text).unwrap();
    assert_eq!((L::CHECKED, value.to_string()), (Ok(l), l.to_string()));
    assert_eq!((L::STATIC, value.placement()), (Some(l.placement()), l.placement()));
    assert_eq!(size_of::<L>(), 0);
}

#[test]
fn layouts() {
    same(layout!(spyre { size: [128,256,512], dtype: fp16, device_size: [256,8,128,64], dim_map: [1,2,0,2] }), "spyre { size: [128,256,512], dtype: fp16, device_size: [256,8,128,64], dim_map: [1,2,0,2] }");
    same(layout!(spyre { size: [100,200,500], dtype: fp16, device_size: [256,8,128,64], dim_map: [1,2,0,2] }), "spyre { size: [100,200,500], dtype: fp16, device_size: [256,8,128,64], dim_map: [1,2,0,2] }");
    same(layout!(spyre { size: [512,1,256], dtype: fp16, stride: [256,256,1], device_size: [4,512,64], dim_map: [1,0,1] }), "spyre { size: [512,1,256], dtype: fp16, stride: [256,256,1], device_size: [4,512,64], dim_map: [1,0,1] }");
    same(layout!(spyre { size: [512,256], dtype: fp16, stride: [256,1], device_size: [4,512,64], dim_map: [1,0,1] }), "spyre { size: [512,256], dtype: fp16, stride: [256,1], device_size: [4,512,64], dim_map: [1,0,1] }");
    same(layout!(spyre { size: [512], dtype: fp16, device_size: [512,64], dim_map: [0,-1] }), "spyre { size: [512], dtype: fp16, device_size: [512,64], dim_map: [0,-1] }");
    same(layout!(spyre { size: [100,3], dtype: fp32, device_size: [3,100,32], dim_map: [1,0,-1] }), "spyre { size: [100,3], dtype: fp32, device_size: [3,100,32], dim_map: [1,0,-1] }");
    same(layout!(spyre { size: [128], dtype: fp16, device_size: [2,64], dim_map: [0,0] }), "spyre { size: [128], dtype: fp16, device_size: [2,64], dim_map: [0,0] }");
    same(layout!(spyre { size: [512,256], dtype: fp16, device_size: [4,512,64], dim_map: [1,0,1] }), "spyre { size: [512,256], dtype: fp16, device_size: [4,512,64], dim_map: [1,0,1] }");
    same(layout!(spyre { size: [512,8,256], dtype: fp16, device_size: [4,512,8,64], dim_map: [2,0,1,2] }), "spyre { size: [512,8,256], dtype: fp16, device_size: [4,512,8,64], dim_map: [2,0,1,2] }");
    same(layout!(spyre { size: [512,256], dtype: fp16, device_size: [8,256,64], dim_map: [0,1,0] }), "spyre { size: [512,256], dtype: fp16, device_size: [8,256,64], dim_map: [0,1,0] }");
    same(layout!(spyre { size: [512,8,256], dtype: fp16, device_size: [8,256,8,64], dim_map: [0,2,1,0] }), "spyre { size: [512,8,256], dtype: fp16, device_size: [8,256,8,64], dim_map: [0,2,1,0] }");
    same(layout!(spyre { size: [1024,256], dtype: fp16, device_size: [4,1024,64], dim_map: [1,0,1] }), "spyre { size: [1024,256], dtype: fp16, device_size: [4,1024,64], dim_map: [1,0,1] }");
    same(layout!(spyre { size: [1000,200], dtype: fp16, device_size: [4,1000,64], dim_map: [1,0,1] }), "spyre { size: [1000,200], dtype: fp16, device_size: [4,1000,64], dim_map: [1,0,1] }");
    same(layout!(spyre { size: [50,10,200], dtype: fp16, device_size: [10,4,50,64], dim_map: [1,2,0,2] }), "spyre { size: [50,10,200], dtype: fp16, device_size: [10,4,50,64], dim_map: [1,2,0,2] }");
    same(layout!(spyre { size: [], dtype: fp16, device_size: [64], dim_map: [-1] }), "spyre { size: [], dtype: fp16, device_size: [64], dim_map: [-1] }");
    same(layout!(spyre { size: [130,70], dtype: fp32, device_size: [5,5,16,32], dim_map: [0,1,1,0] }), "spyre { size: [130,70], dtype: fp32, device_size: [5,5,16,32], dim_map: [0,1,1,0] }");
    same(layout!(spyre { size: [4,100], dtype: fp16, stride: [0,1], device_size: [2,4,64], dim_map: [1,0,1] }), "spyre { size: [4,100], dtype: fp16, stride: [0,1], device_size: [2,4,64], dim_map: [1,0,1] }");
    same(layout!(spyre { size: [7,10,2], dtype: fp32, device_size: [7,5,1,8,4,32], dim_map: [2,2,1,0,1,1] }), "spyre { size: [7,10,2], dtype: fp32, device_size: [7,5,1,8,4,32], dim_map: [2,2,1,0,1,1] }");
    same(layout!(spyre { size: [83], dtype: fp8e4m3, device_size: [1,128], dim_map: [0,0] }), "spyre { size: [83], dtype: fp8e4m3, device_size: [1,128], dim_map: [0,0] }");
    same(layout!(spyre { size: [32,15,21], dtype: int4, device_size: [15,21,34,256], dim_map: [1,2,0,-1] }), "spyre { size: [32,15,21], dtype: int4, device_size: [15,21,34,256], dim_map: [1,2,0,-1] }");
    same(layout!(spyre { size: [1,5,24,9,6], dtype: fp16, device_size: [1,4,5,25,9,64], dim_map: [0,3,0,1,2,3] }), "spyre { size: [1,5,24,9,6], dtype: fp16, device_size: [1,4,5,25,9,64], dim_map: [0,3,0,1,2,3] }");
    same(layout!(spyre { size: [12,18], dtype: fp32, stride: [18,1], device_size: [2,8,18,5,32], dim_map: [0,0,1,0,-1] }), "spyre { size: [12,18], dtype: fp32, stride: [18,1], device_size: [2,8,18,5,32], dim_map: [0,0,1,0,-1] }");
    same(layout!(spyre { size: [128,15], dtype: fp16, stride: [1,131], device_size: [2,15,64], dim_map: [0,1,0] }), "spyre { size: [128,15], dtype: fp16, stride: [1,131], device_size: [2,15,64], dim_map: [0,1,0] }");
    same(layout!(spyre { size: [1,2,37,8,23], dtype: fp16, device_size: [12,1,10,6,2,8,64], dim_map: [3,0,1,1,3,2,0] }), "spyre { size: [1,2,37,8,23], dtype: fp16, device_size: [12,1,10,6,2,8,64], dim_map: [3,0,1,1,3,2,0] }");
    same(layout!(spyre { size: [3,34,18], dtype: fp8e4m3, device_size: [1,2,20,4,128], dim_map: [1,0,2,0,1] }), "spyre { size: [3,34,18], dtype: fp8e4m3, device_size: [1,2,20,4,128], dim_map: [1,0,2,0,1] }");
    same(layout!(spyre { size: [25,20,16], dtype: int64, device_size: [2,6,22,3,16,16], dim_map: [0,0,1,0,2,-1] }), "spyre { size: [25,20,16], dtype: int64, device_size: [2,6,22,3,16,16], dim_map: [0,0,1,0,2,-1] }");
    same(layout!(spyre { size: [22,3,4,9], dtype: int4, device_size: [1,22,3,4,6,256], dim_map: [2,0,3,3,1,2] }), "spyre { size: [22,3,4,9], dtype: int4, device_size: [1,22,3,4,6,256], dim_map: [2,0,3,3,1,2] }");
    same(layout!(spyre { size: [10,5,16,22], dtype: fp16, stride: [1,3680,230,10], device_size: [2,16,6,3,5,4,64], dim_map: [0,2,0,3,1,0,3] }), "spyre { size: [10,5,16,22], dtype: fp16, stride: [1,3680,230,10], device_size: [2,16,6,3,5,4,64], dim_map: [0,2,0,3,1,0,3] }");
    same(layout!(spyre { size: [13,36,32], dtype: int64, device_size: [3,2,36,5,16], dim_map: [0,2,1,0,2] }), "spyre { size: [13,36,32], dtype: int64, device_size: [3,2,36,5,16], dim_map: [0,2,1,0,2] }");
    same(layout!(spyre { size: [44,39,1,1,2,4], dtype: int8, device_size: [5,1,8,7,1,6,128], dim_map: [1,2,1,2,3,3,0] }), "spyre { size: [44,39,1,1,2,4], dtype: int8, device_size: [5,1,8,7,1,6,128], dim_map: [1,2,1,2,3,3,0] }");
    same(layout!(spyre { size: [2,6,5,8,9], dtype: fp16, device_size: [8,6,5,9,2,64], dim_map: [3,1,2,4,0,-1] }), "spyre { size: [2,6,5,8,9], dtype: fp16, device_size: [8,6,5,9,2,64], dim_map: [3,1,2,4,0,-1] }");
    same(layout!(spyre { size: [10], dtype: bf16, device_size: [1,64], dim_map: [0,0] }), "spyre { size: [10], dtype: bf16, device_size: [1,64], dim_map: [0,0] }");
    same(layout!(spyre { size: [384,19], dtype: int8, stride: [1,385], device_size: [3,1,3,7,128], dim_map: [0,1,1,1,0] }), "spyre { size: [384,19], dtype: int8, stride: [1,385], device_size: [3,1,3,7,128], dim_map: [0,1,1,1,0] }");
    same(layout!(spyre { size: [6,6,38], dtype: int64, device_size: [38,3,2,5,5,2,6,16], dim_map: [2,0,1,1,1,0,0,-1] }), "spyre { size: [6,6,38], dtype: int64, device_size: [38,3,2,5,5,2,6,16], dim_map: [2,0,1,1,1,0,0,-1] }");
    same(layout!(spyre { size: [28], dtype: bf16, device_size: [1,64], dim_map: [0,0] }), "spyre { size: [28], dtype: bf16, device_size: [1,64], dim_map: [0,0] }");
    same(layout!(spyre { size: [25,1,96], dtype: fp32, stride: [1,26,104], device_size: [5,1,5,8,32], dim_map: [1,0,0,0,1] }), "spyre { size: [25,1,96], dtype: fp32, stride: [1,26,104], device_size: [5,1,5,8,32], dim_map: [1,0,0,0,1] }");
    same(layout!(spyre { size: [1,18,668,1], dtype: int4, device_size: [3,3,8,256], dim_map: [0,1,0,1] }), "spyre { size: [1,18,668,1], dtype: int4, device_size: [3,3,8,256], dim_map: [0,1,0,1] }");
    same(layout!(spyre { size: [35,12,32], dtype: bf16, device_size: [5,12,8,2,2,64], dim_map: [2,1,2,0,0,0] }), "spyre { size: [35,12,32], dtype: bf16, device_size: [5,12,8,2,2,64], dim_map: [2,1,2,0,0,0] }");
    same(layout!(spyre { size: [25,18,34], dtype: fp16, device_size: [10,27,4,18,64], dim_map: [2,0,2,1,-1] }), "spyre { size: [25,18,34], dtype: fp16, device_size: [10,27,4,18,64], dim_map: [2,0,2,1,-1] }");
    same(layout!(spyre { size: [1,10,16,7], dtype: fp8e4m3, device_size: [7,16,10,128], dim_map: [2,1,0,-1] }), "spyre { size: [1,10,16,7], dtype: fp8e4m3, device_size: [7,16,10,128], dim_map: [2,1,0,-1] }");
    same(layout!(spyre { size: [31,256], dtype: bf16, device_size: [4,4,8,64], dim_map: [1,0,0,1] }), "spyre { size: [31,256], dtype: bf16, device_size: [4,4,8,64], dim_map: [1,0,0,1] }");
    same(layout!(spyre { size: [384,39], dtype: bool, stride: [39,1], device_size: [6,6,7,128], dim_map: [0,1,1,0] }), "spyre { size: [384,39], dtype: bool, stride: [39,1], device_size: [6,6,7,128], dim_map: [0,1,1,0] }");
    same(layout!(spyre { size: [14,31,1,1], dtype: int4, device_size: [3,3,14,5,256], dim_map: [1,1,0,1,-1] }), "spyre { size: [14,31,1,1], dtype: int4, device_size: [3,3,14,5,256], dim_map: [1,1,0,1,-1] }");
    same(layout!(spyre { size: [16,3,25,11], dtype: int64, device_size: [11,16,6,2,16], dim_map: [3,0,1,2,2] }), "spyre { size: [16,3,25,11], dtype: int64, device_size: [11,16,6,2,16], dim_map: [3,0,1,2,2] }");
    same(layout!(spyre { size: [2,9,24,3,6,1,1], dtype: int64, device_size: [1,9,2,1,24,5,3,4,16], dim_map: [0,1,0,4,2,0,3,3,4] }), "spyre { size: [2,9,24,3,6,1,1], dtype: int64, device_size: [1,9,2,1,24,5,3,4,16], dim_map: [0,1,0,4,2,0,3,3,4] }");
    same(layout!(spyre { size: [16,17,37], dtype: fp32, stride: [38,608,1], device_size: [1,17,37,32], dim_map: [0,1,2,0] }), "spyre { size: [16,17,37], dtype: fp32, stride: [38,608,1], device_size: [1,17,37,32], dim_map: [0,1,2,0] }");
    same(layout!(spyre { size: [1,17,1,292], dtype: int4, device_size: [5,17,256], dim_map: [1,0,1] }), "spyre { size: [1,17,1,292], dtype: int4, device_size: [5,17,256], dim_map: [1,0,1] }");
    same(layout!(spyre { size: [4,1,1,127,29], dtype: fp8e4m3, device_size: [7,2,30,128], dim_map: [0,1,2,1] }), "spyre { size: [4,1,1,127,29], dtype: fp8e4m3, device_size: [7,2,30,128], dim_map: [0,1,2,1] }");
    same(layout!(spyre { size: [1,1,39,50,9], dtype: bf16, device_size: [2,10,4,8,4,64], dim_map: [2,0,0,2,1,1] }), "spyre { size: [1,1,39,50,9], dtype: bf16, device_size: [2,10,4,8,4,64], dim_map: [2,0,0,2,1,1] }");
    same(layout!(spyre { size: [6,21,26], dtype: bool, device_size: [13,6,26,2,128], dim_map: [1,0,2,1,-1] }), "spyre { size: [6,21,26], dtype: bool, device_size: [13,6,26,2,128], dim_map: [1,0,2,1,-1] }");
    same(layout!(spyre { size: [26,2,18,7,1,1], dtype: int4, stride: [608,15808,32,1,15808,8], device_size: [7,2,6,5,256], dim_map: [3,1,0,0,2] }), "spyre { size: [26,2,18,7,1,1], dtype: int4, stride: [608,15808,32,1,15808,8], device_size: [7,2,6,5,256], dim_map: [3,1,0,0,2] }");
    same(layout!(spyre { size: [1,2,155,4,14], dtype: int4, device_size: [14,4,1,3,256], dim_map: [3,2,0,0,1] }), "spyre { size: [1,2,155,4,14], dtype: int4, device_size: [14,4,1,3,256], dim_map: [3,2,0,0,1] }");
    same(layout!(spyre { size: [1,126,10,4,2,1], dtype: fp8e4m3, device_size: [1,7,1,2,7,3,128], dim_map: [2,2,1,3,1,1,0] }), "spyre { size: [1,126,10,4,2,1], dtype: fp8e4m3, device_size: [1,7,1,2,7,3,128], dim_map: [2,2,1,3,1,1,0] }");
    same(layout!(spyre { size: [4,43,32], dtype: fp8e4m3, stride: [44,1,176], device_size: [2,1,7,4,4,128], dim_map: [2,1,2,0,2,1] }), "spyre { size: [4,43,32], dtype: fp8e4m3, stride: [44,1,176], device_size: [2,1,7,4,4,128], dim_map: [2,1,2,0,2,1] }");
    same(layout!(spyre { size: [10,2,29,15], dtype: bf16, stride: [15,4350,150,1], device_size: [4,5,3,5,2,15,64], dim_map: [0,0,0,1,2,3,2] }), "spyre { size: [10,2,29,15], dtype: bf16, stride: [15,4350,150,1], device_size: [4,5,3,5,2,15,64], dim_map: [0,0,0,1,2,3,2] }");
    same(layout!(spyre { size: [25,7], dtype: fp16, device_size: [2,1,8,4,64], dim_map: [0,1,1,1,0] }), "spyre { size: [25,7], dtype: fp16, device_size: [2,1,8,4,64], dim_map: [0,1,1,1,0] }");
    same(layout!(spyre { size: [36,39], dtype: fp16, device_size: [2,1,8,3,64], dim_map: [1,0,1,1,0] }), "spyre { size: [36,39], dtype: fp16, device_size: [2,1,8,3,64], dim_map: [1,0,1,1,0] }");
    same(layout!(spyre { size: [20,256], dtype: fp8e4m3, stride: [1,21], device_size: [2,22,128], dim_map: [1,0,1] }), "spyre { size: [20,256], dtype: fp8e4m3, stride: [1,21], device_size: [2,22,128], dim_map: [1,0,1] }");
}

#[test]
fn defaults() {
    same(layout!(spyre { size: [512,1], dtype: fp16 }), "spyre { size: [512,1], dtype: fp16 }");
    same(layout!(spyre { size: [512], dtype: fp16 }), "spyre { size: [512], dtype: fp16 }");
    same(layout!(spyre { size: [5,100,150], dtype: fp16 }), "spyre { size: [5,100,150], dtype: fp16 }");
    same(layout!(spyre { size: [5,100,150], dtype: fp16, order: [1,0,2] }), "spyre { size: [5,100,150], dtype: fp16, order: [1,0,2] }");
    same(layout!(spyre { size: [2880,90,44,64], dtype: fp16 }), "spyre { size: [2880,90,44,64], dtype: fp16 }");
    same(layout!(spyre { size: [128,256,512], dtype: fp16 }), "spyre { size: [128,256,512], dtype: fp16 }");
    same(layout!(spyre { size: [], dtype: fp16 }), "spyre { size: [], dtype: fp16 }");
    same(layout!(spyre { size: [1,1,1], dtype: fp32 }), "spyre { size: [1,1,1], dtype: fp32 }");
    same(layout!(spyre { size: [512,256], dtype: fp16, sparse: true }), "spyre { size: [512,256], dtype: fp16, sparse: true }");
    same(layout!(spyre { size: [85,86], dtype: fp16 }), "spyre { size: [85,86], dtype: fp16 }");
    same(layout!(spyre { size: [85,81], dtype: fp32 }), "spyre { size: [85,81], dtype: fp32 }");
    same(layout!(spyre { size: [57,73,68,40], dtype: int8 }), "spyre { size: [57,73,68,40], dtype: int8 }");
    same(layout!(spyre { size: [29,67,27], dtype: fp16 }), "spyre { size: [29,67,27], dtype: fp16 }");
    same(layout!(spyre { size: [38,6,69,86,4], dtype: fp16 }), "spyre { size: [38,6,69,86,4], dtype: fp16 }");
    same(layout!(spyre { size: [7,1,69], dtype: fp16, sparse: true }), "spyre { size: [7,1,69], dtype: fp16, sparse: true }");
}
