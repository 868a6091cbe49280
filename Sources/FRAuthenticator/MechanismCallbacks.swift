/// Called once with the mechanism that was made.
public typealias MechanismCallback = (Mechanism) -> Void

/// Called once with an account.
public typealias AccountCallback = (Account) -> Void

/// Called once with accounts.
public typealias AccountsCallback = ([Account]) -> Void
