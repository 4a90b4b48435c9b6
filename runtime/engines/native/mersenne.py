"""The MT19937 of Python and NumPy in LLVM's language: 624 words, and the index of the next one.

M. Matsumoto and T. Nishimura, Mersenne Twister, ACM Transactions on Modeling and Computer
Simulation 8 (1998).
"""

# `mersenne_word` returns the next word; `mersenne_renew` makes new ones where all are used up.
MERSENNE = """
define internal void @mersenne_renew(ptr %words) noinline {
start:
  br label %next
next:
  %k = phi i64 [0, %start], [%k1, %next]
  %k1 = add i64 %k, 1
  %is_last = icmp eq i64 %k1, 624
  %above = select i1 %is_last, i64 0, i64 %k1
  %far = add i64 %k, 397
  %wraps = icmp uge i64 %far, 624
  %near = sub i64 %k, 227
  %other = select i1 %wraps, i64 %near, i64 %far
  %place = getelementptr i32, ptr %words, i64 %k
  %place_above = getelementptr i32, ptr %words, i64 %above
  %place_other = getelementptr i32, ptr %words, i64 %other
  %word = load i32, ptr %place
  %word_above = load i32, ptr %place_above
  %word_other = load i32, ptr %place_other
  %upper = and i32 %word, -2147483648
  %lower = and i32 %word_above, 2147483647
  %y = or i32 %upper, %lower
  %half = lshr i32 %y, 1
  %mixed = xor i32 %word_other, %half
  %odd = and i32 %y, 1
  %is_odd = icmp ne i32 %odd, 0
  %matrix = select i1 %is_odd, i32 -1727483681, i32 0
  %made = xor i32 %mixed, %matrix
  store i32 %made, ptr %place
  br i1 %is_last, label %done, label %next
done:
  ret void
}
define internal i32 @mersenne_word(ptr %words, ptr %index) {
start:
  %at = load i32, ptr %index
  %is_used_up = icmp sge i32 %at, 624
  br i1 %is_used_up, label %renews, label %takes
renews:
  call void @mersenne_renew(ptr %words)
  br label %takes
takes:
  %now = phi i32 [%at, %start], [0, %renews]
  %next = add i32 %now, 1
  store i32 %next, ptr %index
  %wide = zext i32 %now to i64
  %place = getelementptr i32, ptr %words, i64 %wide
  %y0 = load i32, ptr %place
  %s0 = lshr i32 %y0, 11
  %y1 = xor i32 %y0, %s0
  %s1 = shl i32 %y1, 7
  %m1 = and i32 %s1, -1658038656
  %y2 = xor i32 %y1, %m1
  %s2 = shl i32 %y2, 15
  %m2 = and i32 %s2, -272236544
  %y3 = xor i32 %y2, %m2
  %s3 = lshr i32 %y3, 18
  %y4 = xor i32 %y3, %s3
  ret i32 %y4
}
"""
