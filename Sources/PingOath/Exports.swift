@_exported public import AuthenticatorCore
