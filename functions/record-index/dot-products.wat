;; The sums of products of one vector of bytes with many others, sixteen components at a time (dot-products.ts).
(module
  (memory (export "memory") 1)
  ;; Writes `count` sums at `sums`: of the query with each of the rows, which follow each other.
  (func (export "products")
    (param $query i32) (param $rows i32) (param $sums i32) (param $count i32) (param $dimensions i32)
    (local $end i32) (local $blocks i32) (local $i i32) (local $sum i32)
    (local $lanes v128) (local $left v128) (local $right v128)
    (local.set $end (i32.add (local.get $sums) (i32.shl (local.get $count) (i32.const 2))))
    ;; How many components are in whole blocks.
    (local.set $blocks (i32.and (local.get $dimensions) (i32.const -16)))
    (loop $next_row
      (if (i32.lt_u (local.get $sums) (local.get $end))
        (then
          (local.set $lanes (v128.const i32x4 0 0 0 0))
          (local.set $i (i32.const 0))
          (loop $next_block
            (if (i32.lt_u (local.get $i) (local.get $blocks))
              (then
                (local.set $left (v128.load (i32.add (local.get $query) (local.get $i))))
                (local.set $right (v128.load (i32.add (local.get $rows) (local.get $i))))
                (local.set $lanes
                  (i32x4.add
                    (local.get $lanes)
                    (i32x4.add
                      (i32x4.dot_i16x8_s
                        (i16x8.extend_low_i8x16_s (local.get $left))
                        (i16x8.extend_low_i8x16_s (local.get $right)))
                      (i32x4.dot_i16x8_s
                        (i16x8.extend_high_i8x16_s (local.get $left))
                        (i16x8.extend_high_i8x16_s (local.get $right))))))
                (local.set $i (i32.add (local.get $i) (i32.const 16)))
                (br $next_block))))
          (local.set $sum
            (i32.add
              (i32.add (i32x4.extract_lane 0 (local.get $lanes)) (i32x4.extract_lane 1 (local.get $lanes)))
              (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes)))))
          (loop $next_component
            (if (i32.lt_u (local.get $i) (local.get $dimensions))
              (then
                (local.set $sum
                  (i32.add
                    (local.get $sum)
                    (i32.mul
                      (i32.load8_s (i32.add (local.get $query) (local.get $i)))
                      (i32.load8_s (i32.add (local.get $rows) (local.get $i))))))
                (local.set $i (i32.add (local.get $i) (i32.const 1)))
                (br $next_component))))
          (i32.store (local.get $sums) (local.get $sum))
          (local.set $sums (i32.add (local.get $sums) (i32.const 4)))
          (local.set $rows (i32.add (local.get $rows) (local.get $dimensions)))
          (br $next_row))))))
