;; Escapes JSON texts for JSON strings. In a JSON text only " and \ are to be escaped: what else a string may not hold is
;; escaped in the text already. A line feed stands before each text, and a frame takes its place.
;;
;; Eight bytes become sixteen at the most, in one step: a table has, for each set of bytes to escape, where each of the
;; eight goes, and another one the backslashes between them. json-strings.ts makes the tables, and runs what
;; `npm run generate` compiles this file to.
(module
  (import "json" "memory" (memory 1))
  (import "json" "backslashes" (global $backslashes i32))
  (import "json" "frame" (global $frame i32))
  (import "json" "frameLength" (global $frameLength i32))

  ;; Where the input that is left begins.
  (global $rest (export "rest") (mut i32) (i32.const 0))

  ;; Adds eight bytes, the first ones of $x, of which $set are to be escaped, and returns the end of the output.
  (func $addEight (param $x v128) (param $set i32) (param $to i32) (result i32)
    (local $row i32)
    (local.set $row (i32.shl (local.get $set) (i32.const 4)))
    (v128.store (local.get $to)
      (v128.or
        ;; Where the table has no byte, 0 stands.
        (i8x16.swizzle (local.get $x) (v128.load (local.get $row)))
        (v128.load (i32.add (global.get $backslashes) (local.get $row)))))
    (i32.add (local.get $to) (i32.add (i32.const 8) (i32.popcnt (local.get $set)))))

  ;; Escapes the bytes from $from to $end. It ends before a line feed where the output is beyond $limit.
  (func (export "escape") (param $from i32) (param $end i32) (param $to i32) (param $limit i32) (result i32)
    (local $x v128)
    (local $set i32)
    (local $byte i32)
    (loop $text
      (block $short
        (loop $sixteen
          (br_if $short (i32.gt_u (i32.add (local.get $from) (i32.const 16)) (local.get $end)))
          (local.set $x (v128.load (local.get $from)))
          (br_if $short (v128.any_true (i8x16.eq (local.get $x) (i8x16.splat (i32.const 0x0a)))))
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (local.set $set
            (i8x16.bitmask
              (v128.or
                (i8x16.eq (local.get $x) (i8x16.splat (i32.const 0x22)))
                (i8x16.eq (local.get $x) (i8x16.splat (i32.const 0x5c))))))
          (if (i32.eqz (local.get $set))
            (then
              (v128.store (local.get $to) (local.get $x))
              (local.set $to (i32.add (local.get $to) (i32.const 16)))
              (br $sixteen)))
          (local.set $to
            (call $addEight (local.get $x) (i32.and (local.get $set) (i32.const 0xff)) (local.get $to)))
          (local.set $to
            (call $addEight
              (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $x) (local.get $x))
              (i32.shr_u (local.get $set) (i32.const 8))
              (local.get $to)))
          (br $sixteen)))
      ;; One by one until a line feed or the end.
      (block $done
        (loop $one
          (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
          (local.set $byte (i32.load8_u (local.get $from)))
          (if (i32.eq (local.get $byte) (i32.const 0x0a))
            (then
              (br_if $done (i32.gt_u (local.get $to) (local.get $limit)))
              (memory.copy (local.get $to) (global.get $frame) (global.get $frameLength))
              (local.set $to (i32.add (local.get $to) (global.get $frameLength)))
              (local.set $from (i32.add (local.get $from) (i32.const 1)))
              (br $text)))
          (if (i32.or (i32.eq (local.get $byte) (i32.const 0x22)) (i32.eq (local.get $byte) (i32.const 0x5c)))
            (then
              (i32.store8 (local.get $to) (i32.const 0x5c))
              (local.set $to (i32.add (local.get $to) (i32.const 1)))))
          (i32.store8 (local.get $to) (local.get $byte))
          (local.set $to (i32.add (local.get $to) (i32.const 1)))
          (local.set $from (i32.add (local.get $from) (i32.const 1)))
          (br $one))))
    (global.set $rest (local.get $from))
    (local.get $to)))
