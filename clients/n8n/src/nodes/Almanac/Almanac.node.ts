import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow'
import { accountTypesOf, brandsOf } from './choices'
import { brandFields, eventFields, mediaFields, noteFields, postSetFields } from './fields'

/** What a workflow does with the calendar of an Almanac. */
export class Almanac implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Almanac',
    name: 'almanac',
    icon: { light: 'file:../../icons/almanac.svg', dark: 'file:../../icons/almanac.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Plan and publish posts on social networks',
    defaults: { name: 'Almanac' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'almanacApi', required: true }],
    requestDefaults: {
      baseURL: '={{$credentials.url}}',
      headers: { Accept: 'application/json' },
    },
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Brand', value: 'brand' },
          { name: 'Event', value: 'event' },
          { name: 'Media', value: 'media' },
          { name: 'Note', value: 'note' },
          { name: 'Post Set', value: 'postSet' },
        ],
        default: 'postSet',
      },
      ...brandFields,
      ...eventFields,
      ...mediaFields,
      ...noteFields,
      ...postSetFields,
    ],
  }

  methods = { loadOptions: { accountTypesOf, brandsOf } }
}
