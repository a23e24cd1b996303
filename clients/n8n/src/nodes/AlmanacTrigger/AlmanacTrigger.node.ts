import {
  type IDataObject,
  type IHookFunctions,
  type IHttpRequestOptions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { isSigned } from './signature'
import { EVENT_TYPES } from './types'

/** A request to the service, which may be refused. */
async function ask(
  context: IHookFunctions,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: IDataObject,
): Promise<{ status: number; body: IDataObject }> {
  const { url: baseURL } = await context.getCredentials('almanacApi')
  const options: IHttpRequestOptions = {
    method,
    baseURL: String(baseURL),
    url,
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    ...(body ? { body } : {}),
  }
  const answer = await context.helpers.httpRequestWithAuthentication.call(context, 'almanacApi', options)
  return { status: Number(answer.statusCode), body: (answer.body ?? {}) as IDataObject }
}

const at = (id: unknown) => `/v1/webhooks/${encodeURIComponent(String(id))}`

/** Begins a workflow when something happens on the calendar of an Almanac. */
export class AlmanacTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Almanac Trigger',
    name: 'almanacTrigger',
    icon: { light: 'file:../../icons/almanac.svg', dark: 'file:../../icons/almanac.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["types"].join(", ")}}',
    description: 'Starts the workflow when something happens on the calendar',
    defaults: { name: 'Almanac Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'almanacApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'types',
        type: 'multiOptions',
        options: EVENT_TYPES.map((value) => ({ name: value, value })),
        default: ['post.posted', 'post.failed'],
        description: 'What starts the workflow. None: everything.',
      },
      {
        displayName: 'Brand IDs',
        name: 'socialSetIds',
        type: 'string',
        default: '',
        description: 'Separated by commas. Empty: all that the key sees.',
      },
      {
        displayName: 'Ignore What This Key Does',
        name: 'ignoreOwn',
        type: 'boolean',
        default: true,
        description:
          'Whether changes by the key of this workflow start no workflow, so that it does not call itself for ever',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData('node')
        if (kept.webhookId === undefined || kept.secret === undefined) return false
        const { status, body } = await ask(this, 'GET', at(kept.webhookId))
        return status === 200 && body.closed === null && body.url === this.getNodeWebhookUrl('default')
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData('node')
        const ids = this.getNodeParameter('socialSetIds', '') as string
        const { status, body } = await ask(this, 'POST', '/v1/webhooks', {
          url: this.getNodeWebhookUrl('default'),
          types: this.getNodeParameter('types', []) as string[],
          socialSetIds: ids.split(',').flatMap((id) => id.trim() || []),
          ignoreOwn: this.getNodeParameter('ignoreOwn', true) as boolean,
          description: 'n8n',
        })
        if (status !== 201) throw new NodeApiError(this.getNode(), body as JsonObject, { httpCode: String(status) })
        kept.webhookId = body.id
        kept.secret = body.secret
        return true
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData('node')
        if (kept.webhookId === undefined) return true
        const { status } = await ask(this, 'DELETE', at(kept.webhookId))
        // One that is gone is what was asked for.
        if (status !== 204 && status !== 404) return false
        delete kept.webhookId
        delete kept.secret
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData('node')
    const request = this.getRequestObject()
    // Newer versions of n8n read the bytes when they are asked for.
    if (request.rawBody === undefined) await request.readRawBody()
    if (typeof secret !== 'string' || !isSigned(request.rawBody, request.headers, secret)) {
      this.getResponseObject().status(401).send('The request is not signed with the secret of this webhook.').end()
      return { noWebhookResponse: true }
    }
    const event = this.getBodyData()
    // A test says that requests arrive, and nothing more.
    if (event.type === 'webhook.test') return { webhookResponse: 'OK' }
    return { workflowData: [this.helpers.returnJsonArray(event)] }
  }
}
