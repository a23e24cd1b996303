import type { INodeProperties, INodePropertyOptions, INodeRequestSend } from 'n8n-workflow'
import { withFile, withPosts } from './bodies'

/** The fields of each resource, and the request of each operation. */

type Show = { resource: string; operations: string[] }
const show = ({ resource, operations }: Show) => ({ show: { resource: [resource], operation: operations } })

const operation = (resource: string, first: string, options: INodePropertyOptions[]): INodeProperties => ({
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: [resource] } },
  options,
  default: first,
})

const sent = (property: string, type: INodeRequestSend['type'] = 'body') => ({ send: { type, property } })
const opened = { output: { postReceive: [{ type: 'rootProperty' as const, properties: { property: 'data' } }] } }

const brand = (where: Show, type: INodeRequestSend['type'] = 'body'): INodeProperties => ({
  displayName: 'Brand Name or ID',
  name: 'socialSetId',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'brandsOf' },
  default: '',
  required: true,
  displayOptions: show(where),
  description:
    'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
  routing: sent('socialSetId', type),
})

const id = (displayName: string, where: Show): INodeProperties => ({
  displayName,
  name: 'id',
  type: 'string',
  default: '',
  required: true,
  displayOptions: show(where),
})

const text = (field: Pick<INodeProperties, 'displayName' | 'name'> & Partial<INodeProperties>): INodeProperties => ({
  type: 'string',
  default: '',
  ...field,
})

const limit = (where: Show, property: string, most: number): INodeProperties => ({
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: most },
  default: 50,
  displayOptions: show(where),
  description: 'Max number of results to return',
  routing: sent(property, 'query'),
})

export const brandFields: INodeProperties[] = [
  operation('brand', 'getAll', [
    {
      name: 'Get Many',
      value: 'getAll',
      action: 'Get many brands',
      description: 'The brands that the key sees, with time zone and connected accounts',
      routing: { request: { method: 'GET', url: '/v1/social-sets' }, ...opened },
    },
  ]),
  limit({ resource: 'brand', operations: ['getAll'] }, 'size', 100),
]

const EVENTS: Show = { resource: 'event', operations: ['getAll'] }
export const eventFields: INodeProperties[] = [
  operation('event', 'getAll', [
    {
      name: 'Get Many',
      value: 'getAll',
      action: 'Get many events',
      description: 'What happened behind a position. The answer has the position for the next time.',
      routing: { request: { method: 'GET', url: '/v1/events' } },
    },
  ]),
  {
    displayName: 'After',
    name: 'after',
    type: 'number',
    default: 0,
    displayOptions: show(EVENTS),
    description: 'Position of the last event that is known already',
    routing: sent('after', 'query'),
  },
  limit(EVENTS, 'limit', 200),
]

export const mediaFields: INodeProperties[] = [
  operation('media', 'import', [
    {
      name: 'Get Upload',
      value: 'get',
      action: 'Get an upload',
      description: 'Whether a file is ready for posts',
      routing: { request: { method: 'GET', url: '=/v1/media-upload/{{encodeURIComponent($parameter["id"])}}' } },
    },
    {
      name: 'Import',
      value: 'import',
      action: 'Import a file',
      description: 'Bring a file at a public address into the media library',
      routing: { request: { method: 'POST', url: '/v1/media-upload' } },
    },
    {
      name: 'Upload',
      value: 'upload',
      action: 'Upload a file',
      description: 'Bring the file of a binary field into the media library',
      routing: { request: { method: 'POST', url: '/v1/media-upload' }, send: { preSend: [withFile] } },
    },
  ]),
  id('Upload ID', { resource: 'media', operations: ['get'] }),
  brand({ resource: 'media', operations: ['import', 'upload'] }),
  text({
    displayName: 'Address of the File',
    name: 'fileUrl',
    required: true,
    displayOptions: show({ resource: 'media', operations: ['import'] }),
    routing: sent('url'),
  }),
  text({
    displayName: 'Input Binary Field',
    name: 'binaryField',
    default: 'data',
    required: true,
    displayOptions: show({ resource: 'media', operations: ['upload'] }),
    description: 'The name of the field with the file',
  }),
]

const NOTES: Show = { resource: 'note', operations: ['create'] }
export const noteFields: INodeProperties[] = [
  operation('note', 'create', [
    {
      name: 'Create',
      value: 'create',
      action: 'Create a note',
      description: 'Pin a note to a time on the calendar',
      routing: { request: { method: 'POST', url: '/v1/notes', body: { hexColor: '#faf785' } } },
    },
  ]),
  brand(NOTES),
  text({
    displayName: 'Content',
    name: 'content',
    typeOptions: { rows: 3 },
    required: true,
    displayOptions: show(NOTES),
    routing: sent('content'),
  }),
  {
    displayName: 'Time',
    name: 'scheduledAt',
    type: 'dateTime',
    default: '',
    required: true,
    displayOptions: show(NOTES),
    routing: sent('scheduledAt'),
  },
]

const WRITES: Show = { resource: 'postSet', operations: ['create', 'update'] }
const ofPostSet = '=/v1/post-sets/{{encodeURIComponent($parameter["id"])}}'
export const postSetFields: INodeProperties[] = [
  operation('postSet', 'create', [
    {
      name: 'Ask to Schedule',
      value: 'ask',
      action: 'Ask people to schedule a post set',
      description: 'Ask the reviewers of the brand to approve a draft and schedule it',
      routing: { request: { method: 'PATCH', url: ofPostSet, body: { approval: 'PENDING' } } },
    },
    {
      name: 'Create',
      value: 'create',
      action: 'Create a post set',
      description: 'Put a draft on the calendar: one post for each account type',
      routing: {
        request: { method: 'POST', url: '/v1/post-sets', body: { status: 'DRAFT', approval: 'NONE' } },
        send: { preSend: [withPosts] },
      },
    },
    {
      name: 'Delete',
      value: 'delete',
      action: 'Delete a post set',
      routing: {
        request: { method: 'DELETE', url: ofPostSet },
        output: { postReceive: [{ type: 'set', properties: { value: '={{ { "deleted": true } }}' } }] },
      },
    },
    {
      name: 'Get',
      value: 'get',
      action: 'Get a post set',
      description: 'With the results of its posts once it is published',
      routing: { request: { method: 'GET', url: ofPostSet } },
    },
    {
      name: 'Get Many',
      value: 'getAll',
      action: 'Get many post sets',
      routing: { request: { method: 'GET', url: '/v1/post-sets' }, ...opened },
    },
    {
      name: 'Schedule',
      value: 'schedule',
      action: 'Schedule a post set',
      description: 'It is published at its time, at once when that has passed',
      routing: { request: { method: 'PATCH', url: ofPostSet, body: { status: 'SCHEDULED' } } },
    },
    {
      name: 'Update',
      value: 'update',
      action: 'Update the posts of a post set',
      description: 'Posts that are given replace all that it has',
      routing: { request: { method: 'PATCH', url: ofPostSet }, send: { preSend: [withPosts] } },
    },
  ]),
  id('Post Set ID', { resource: 'postSet', operations: ['ask', 'delete', 'get', 'schedule', 'update'] }),
  brand({ resource: 'postSet', operations: ['create'] }),
  brand({ resource: 'postSet', operations: ['getAll'] }, 'query'),
  {
    displayName: 'Time',
    name: 'scheduledAt',
    type: 'dateTime',
    default: '',
    required: true,
    displayOptions: show({ resource: 'postSet', operations: ['create'] }),
    description: 'Without an offset it is read by the clocks of the brand',
    routing: sent('scheduledAt'),
  },
  {
    displayName: 'Time',
    name: 'newTime',
    type: 'dateTime',
    default: '',
    displayOptions: show({ resource: 'postSet', operations: ['ask', 'schedule'] }),
    description: 'Another one than it has. Empty: it stays.',
    routing: { send: { type: 'body', property: 'scheduledAt', value: '={{$value || undefined}}' } },
  },
  {
    displayName: 'Account Type Names or IDs',
    name: 'accountTypes',
    type: 'multiOptions',
    typeOptions: { loadOptionsMethod: 'accountTypesOf' },
    default: [],
    displayOptions: show(WRITES),
    description:
      'Each gets a post with the same caption and media. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  },
  text({
    displayName: 'Caption',
    name: 'caption',
    typeOptions: { rows: 4 },
    displayOptions: show(WRITES),
  }),
  text({
    displayName: 'Media IDs',
    name: 'mediaIds',
    displayOptions: show(WRITES),
    description: 'Of files in the media library, separated by commas',
  }),
  {
    displayName: 'Posts as JSON',
    name: 'postsJson',
    type: 'json',
    default: '[]',
    displayOptions: show(WRITES),
    description: 'Instead of account types, caption and media: posts as the API takes them',
  },
  limit({ resource: 'postSet', operations: ['getAll'] }, 'size', 100),
]
