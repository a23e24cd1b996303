import { test } from 'vitest'
import { expectPostsBesideDump } from '../_util/database/migrations-beside-dump.ts'

test('posts go on while a newer version waits for a minute for a dump', () => expectPostsBesideDump({ forMs: 60_000 }))
