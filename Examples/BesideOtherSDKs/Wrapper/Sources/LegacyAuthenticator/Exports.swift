// If an app's build system does not support the aliases of this package, the app imports this module instead
// of `FRAuthenticator`.
@_exported import FRAuthenticator
