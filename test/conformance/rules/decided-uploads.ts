import type { Rule } from '../conformance.ts'

const happy = (title: string) => `test/api/media-upload-files.happy.test.ts › ${title}`
const error = (title: string) => `test/api/media-upload-files.error.test.ts › ${title}`
const security = (title: string) => `test/api/media-upload-files.security.test.ts › ${title}`
const form = (title: string) => `test/api/media-upload-form.error.test.ts › ${title}`

/** Direct upload. */
export const decidedUploadsRules: readonly Rule[] = [
  {
    id: 'upload-01',
    rule: 'tus 1.0 at /v1/media-upload/files makes the same upload record as an import, url null, and ends READY.',
    proof: [happy('a file in pieces: begun, sent, resumed, READY, and back as the same bytes')],
  },
  {
    id: 'upload-02',
    rule: 'One file in one request by POST /v1/media-upload as multipart/form-data.',
    proof: [happy('a form: one file in one request'), form('a chunked form of a file of unknown length')],
  },
  {
    id: 'upload-03',
    rule: 'Allowance and checks are those of an import.',
    proof: [
      error('files that cannot be used, in pieces or as a form › %s'),
      error('the plan › storage is asked at the beginning'),
    ],
  },
  {
    id: 'upload-04',
    rule: 'Upload-Metadata has socialSetId, name and altText; the last part of Location, on the public address below the path that was asked, is the id of the record.',
    proof: [
      happy('a file in pieces: begun, sent, resumed, READY, and back as the same bytes'),
      'test/api/media-upload-begin.error.test.ts › what begins no upload › %s',
      security('members upload below /internal, from our own pages alone'),
    ],
  },
  {
    id: 'upload-05',
    rule: 'Bytes that still arrive are reserved of the allowance: after an hour without one those that have arrived, and none 24 hours after the last.',
    proof: [
      error(
        'the plan › what is on its way is reserved of the allowance, until it ends or 24 hours after its last byte',
      ),
      error('an upload whose bytes stopped coming is over after 24 hours, and its bytes are removed'),
    ],
  },
  {
    id: 'upload-06',
    rule: 'An upload is pending from its last byte on, and beyond five it waits in line.',
    proof: [error('beyond five that are pending an upload waits in line; an import does not')],
  },
  {
    id: 'upload-07',
    rule: 'At most 20 uploads of a person or key are open in a social set, and 5 while 100 are; without a byte for an hour one makes room.',
    proof: [
      'test/api/media-upload-open.error.test.ts › a 21st is refused to who has begun the others, and to nobody else; one without a byte for an hour makes room',
      'test/api/media-upload-open.error.test.ts › of a social set that is full each may begin a few',
    ],
  },
  {
    id: 'upload-08',
    rule: 'PATCH and HEAD of an upload are free of the rate and bounded by bytes, with rate headers and problem details.',
    proof: [
      security('the rate › does not count bytes that come, and every answer has its headers'),
      security('the rate › counts requests for what is not there, and those that bring nothing'),
      security('the rate › counts requests %s, which are refused before an upload is looked for'),
      error('bytes that do not fit › at another offset: the answer names the right one, and nothing is written'),
    ],
  },
  {
    id: 'upload-09',
    rule: 'Their time limit goes by progress, 64 kB in 30 seconds, not by total.',
    proof: [
      error('a line that is no good › is slow but steady: it takes longer than other requests may'),
      error('a line that is no good › sends nothing more: 408, and what came is kept'),
      form('a form that is refused leaves nothing › one that hangs %s'),
    ],
  },
  {
    id: 'upload-10',
    rule: 'A form with an Idempotency-Key is compared by its fields and the hash of its bytes.',
    proof: [
      form(
        'a form with an Idempotency-Key › is received once: the same fields and bytes get the first answer, others are refused',
      ),
    ],
  },
  {
    id: 'upload-11',
    rule: 'An upload goes on after a restart, and on any process: no byte that was confirmed is lost.',
    proof: [
      'test/cli/uploads.test.ts › 24 MB through two processes that are killed: the same bytes come back',
      error('a line that is no good › breaks off at any byte: what came is kept, and any process goes on'),
      error(
        'a line that is no good › hangs: the next request takes the upload over, on any process, and what came late is not taken',
      ),
    ],
  },
]
