import { expect, test } from 'vitest'
import { describeGraphContract } from '../meta/testing.ts'
import { EDGES } from './simulator.ts'
import * as comments from './simulator-comments.ts'
import * as simulated from './simulator-posts.ts'
import { COMMENT_FIELDS, KNOWN_POST_FIELDS, PHOTO_POST_FIELDS, VIDEO_FIELDS } from './wire.ts'

describeGraphContract(({ fieldsOf, edgesOf, paramsOf }) => {
  // What the simulator does not take, it refuses: so nothing else is sent. A file is no parameter of the contracts.
  test.each(Object.entries(EDGES))('know every parameter of %s that is sent or taken', (edge, [, taken]) => {
    const known = paramsOf('Page', `POST ${edge}`).map((name) => name.replace('!', ''))
    expect(['source', ...known]).toEqual(expect.arrayContaining(taken.split(' ')))
  })

  test('know every listing and field that is asked for', () => {
    expect(paramsOf('Page', 'GET published_posts')).not.toEqual([])
    expect(paramsOf('Page', 'GET stories')).toContain('since')
    const plain = (fields: string) => fields.replace(/\{.*\}/, '').split(',')
    const known = (node: string, names: readonly string[]) =>
      expect([...fieldsOf(node), ...edgesOf(node)]).toEqual(expect.arrayContaining([...names]))
    known('PagePost', [...plain(PHOTO_POST_FIELDS), ...plain(KNOWN_POST_FIELDS), ...simulated.POST_FIELDS])
    known('AdVideo', [...plain(VIDEO_FIELDS), ...simulated.VIDEO_FIELDS])
    known('Comment', [...plain(COMMENT_FIELDS), ...comments.COMMENT_FIELDS])
    for (const node of ['PagePost', 'AdVideo']) {
      expect(paramsOf(node, 'POST comments')).toEqual(expect.arrayContaining([...comments.COMMENT_PARAMS]))
      expect(paramsOf(node, 'GET comments')).toEqual(expect.arrayContaining(['filter', 'order']))
    }
    known('Page', ['id', 'name', 'username', 'link', 'access_token', 'picture'])
  })
})
