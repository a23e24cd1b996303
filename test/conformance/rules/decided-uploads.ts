import type { Rule } from '../conformance.ts'

/** Direct upload. */
export const decidedUploadsRules: readonly Rule[] = [
  {
    id: 'upload-01',
    rule: 'tus 1.0 at /v1/media-upload/files makes the same upload record as an import, url null, and ends READY.',
  },
  {
    id: 'upload-02',
    rule: 'One file in one request by POST /v1/media-upload as multipart/form-data.',
  },
  {
    id: 'upload-03',
    rule: 'Allowance and checks are those of an import.',
  },
  {
    id: 'upload-04',
    rule: 'Upload-Metadata has socialSetId, name and altText; the last part of Location, on the public address below the path that was asked, is the id of the record.',
  },
  {
    id: 'upload-05',
    rule: 'Bytes that still arrive are reserved of the allowance: after an hour without one those that have arrived, and none 24 hours after the last.',
  },
  {
    id: 'upload-06',
    rule: 'An upload is pending from its last byte on, and beyond five it waits in line.',
  },
  {
    id: 'upload-07',
    rule: 'At most 20 uploads of a person or key are open in a social set, and 5 while 100 are; without a byte for an hour one makes room.',
  },
  {
    id: 'upload-08',
    rule: 'PATCH and HEAD of an upload are free of the rate and bounded by bytes, with rate headers and problem details.',
  },
  {
    id: 'upload-09',
    rule: 'Their time limit goes by progress, 64 kB in 30 seconds, not by total.',
  },
  {
    id: 'upload-10',
    rule: 'A form with an Idempotency-Key is compared by its fields and the hash of its bytes.',
  },
  {
    id: 'upload-11',
    rule: 'An upload goes on after a restart, and on any process: no byte that was confirmed is lost.',
  },
]
