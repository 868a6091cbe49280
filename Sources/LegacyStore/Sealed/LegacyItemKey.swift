public import Foundation

/// The key with which a legacy SDK sealed the items of its store.
///
/// Safe to call from any thread. ``SecureEnclaveItemKey`` is a device's own; ``SoftwareItemKey`` serves tests and
/// rehearsals.
public protocol LegacyItemKey: Sendable {
    /// Opens a sealed value, whichever of the two formats it has.
    ///
    /// The code is `undecryptable` if the value was sealed with another key, the key is gone or the bytes were changed,
    /// which cannot be told apart; it is `locked` if the key cannot be used before the device is unlocked.
    func open(_ sealed: Data) throws(LegacyRecordError) -> Data
}

extension LegacyRecordError {
    /// No key fits.
    static let undecryptable = LegacyRecordError(
        .undecryptable,
        reason: "The record is sealed with a key that is not at hand; the user must enrol again."
    )
    /// The key exists and may not be used yet.
    static let lockedKey = LegacyRecordError(
        .locked,
        reason: "The record is sealed, and its key cannot be used before the device is unlocked."
    )
}
