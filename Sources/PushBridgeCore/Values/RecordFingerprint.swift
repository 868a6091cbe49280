import Crypto
public import Foundation

/// Identifies one source record by strings such as its service and its key, and by its bytes.
///
/// The same record in the same store has the same fingerprint in every run, at any position.
public struct RecordFingerprint: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Creates the fingerprint of a record.
    ///
    /// - Parameters:
    ///   - parts: Strings that identify the record, such as its service and its key.
    ///   - payload: The record's bytes.
    ///   - occurrence: 0 for the first record with this content in a store, 1 for the second.
    public init(parts: [String], payload: some DataProtocol, occurrence: Int) {
        var message: [UInt8] = []
        message.reserveCapacity(payload.count + 8 + parts.reduce(8) { $0 + $1.utf8.count + 8 })
        for part in parts { message.append(counted: part.utf8) }
        message.append(counted: payload)
        message.append(UInt64(clamping: occurrence))
        (high, low) = SHA256.hash(data: message).withUnsafeBytes { digest in
            (
                digest.loadUnaligned(as: UInt64.self),
                digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }

    /// Creates a fingerprint from stored bytes; `nil` unless there are 16 bytes.
    /// - Parameter bytes: The 16 bytes.
    public init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        (high, low) = bytes.withUnsafeBytes { stored in
            (stored.loadUnaligned(as: UInt64.self), stored.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// The 16 bytes.
    public var bytes: Data {
        withUnsafeBytes(of: (high, low)) { Data($0) }
    }

    /// The id of the record's ledger entry.
    package var recordID: String {
        withUnsafeBytes(of: (high, low)) { Base64.encodeURLSafe($0) }
    }
}

extension RecordFingerprint: CustomStringConvertible, Concealed {
    /// The name of the type, without the bytes.
    ///
    /// With the bytes, someone who knows the rest of a record could check guesses of a short secret.
    public var description: String { "RecordFingerprint" }
}

extension [UInt8] {
    /// Appends the number of bytes and then the bytes, so that different lists of parts never have the same encoding.
    fileprivate mutating func append(counted bytes: some Collection<UInt8>) {
        append(UInt64(bytes.count))
        append(contentsOf: bytes)
    }

    fileprivate mutating func append(_ number: UInt64) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
