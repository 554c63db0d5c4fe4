async def f(a, b=1, /, *c: *d, e, **g):
	async with a as (b, c), (d): await e
	try:
		del a, b[0]; raise X from None
	except* (A, B) as e: global h
	else: pass
	finally:
		with (a as b, c,): yield
while (n := n - 1): continue
else: x += y, *z; break
if a: b
elif c: lambda *, d=2, **e: f
else: [i async for i in j if k]; from ...a import (b as c,); import d.e
