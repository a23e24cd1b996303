import { expect, test } from 'vitest'
import { checked, reported } from './kit/testing.ts'
import { loadNetworks } from './registry.ts'

const networks = await loadNetworks()
const document = checked({ type: 'DOCUMENT', mimeType: 'application/pdf', pages: 3 })
const kinds = networks.all.flatMap(({ manifest }) =>
  manifest.accountTypes.flatMap((accountType) =>
    (manifest.forms[accountType] ?? []).map(({ type, media }) => ({ accountType, type, takes: media.documents > 0 })),
  ),
)

/** What is said of a post of one, of which nothing else is wrong. */
function saidOf({ accountType, type }: (typeof kinds)[number], media = [document]): string[] {
  const fields = type === null ? {} : { type }
  const post = { accountType, caption: 'Bread', fields, media }
  const found = networks.serving(accountType)?.checkPost(post, {}) ?? []
  return reported(found.filter(({ warning }) => !warning)).filter((each) => each.startsWith('media'))
}

test('LinkedIn alone takes documents', () => {
  expect(new Set(kinds.filter(({ takes }) => takes).map(({ accountType }) => accountType))).toEqual(
    new Set(['LINKEDIN_PAGE', 'LINKEDIN_PERSONAL']),
  )
})

test.each(kinds)('$accountType $type: takes a document is $takes', (kind) => {
  expect(saidOf(kind)).toEqual(kind.takes ? [] : ['media.0 media_type'])
})

test.each(kinds.filter(({ takes }) => !takes))('$accountType $type: a document behind a picture is refused', (kind) => {
  expect(saidOf(kind, [checked({}), document])).toEqual(['media.1 media_type'])
})
