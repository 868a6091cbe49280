/// Called once with the mechanism that was made, which nobody else holds then: it may be sent to another thread.
public typealias MechanismCallback = (sending Mechanism) -> Void

/// Called once with an account.
public typealias AccountCallback = (Account) -> Void

/// Called once with accounts.
public typealias AccountsCallback = ([Account]) -> Void
