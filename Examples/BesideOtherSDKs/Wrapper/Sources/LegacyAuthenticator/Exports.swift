// The app imports this module instead of `FRAuthenticator` if its build system does not support this package's aliases.
@_exported import FRAuthenticator
