import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, Icon, INodeProperties } from 'n8n-workflow'

/** The address of an Almanac and an API key of it. */
export class AlmanacApi implements ICredentialType {
  name = 'almanacApi'

  displayName = 'Almanac API'

  documentationUrl = 'https://almanac.example.com/docs/client'

  icon: Icon = { light: 'file:../icons/almanac.svg', dark: 'file:../icons/almanac.dark.svg' }

  properties: INodeProperties[] = [
    {
      displayName: 'Address',
      name: 'url',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://almanac.example.com',
      description: 'Of your Almanac, without a slash at the end',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'Made under Settings, API keys. The trigger needs the right to manage webhooks.',
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  }

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url}}', url: '/v1/social-sets', qs: { size: 1 } },
  }
}
