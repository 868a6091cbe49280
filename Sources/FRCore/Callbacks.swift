// Not `@Sendable`: that would refuse the closures of existing call sites, which capture view controllers.

/// Called once when an operation succeeded.
public typealias SuccessCallback = () -> Void

/// Called once when an operation failed, with the reason.
public typealias ErrorCallback = (any Error) -> Void
