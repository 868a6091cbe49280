import Crypto
public import Foundation

/// Names one source record by its content: where it stood, what it was called, and its bytes.
///
/// The same record in the same store has the same fingerprint in every run, whatever its position.
public struct RecordFingerprint: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The fingerprint of a record.
    ///
    /// - Parameters:
    ///   - parts: Texts that tell the record from others, such as service and key.
    ///   - payload: The record's bytes.
    ///   - occurrence: 0 for the first record of this content in a store, 1 for the next.
    public init(parts: [String], payload: some DataProtocol, occurrence: Int) {
        var hash = SHA256()
        for part in parts {
            hash.update(length: part.utf8.count)
            hash.update(data: Data(part.utf8))
        }
        hash.update(length: payload.count)
        hash.update(data: payload)
        hash.update(length: occurrence)
        (high, low) = hash.finalize().withUnsafeBytes { digest in
            (digest.loadUnaligned(as: UInt64.self), digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// Reads stored bytes; `nil` unless there are 16.
    public init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        (high, low) = bytes.withUnsafeBytes { stored in
            (stored.loadUnaligned(as: UInt64.self), stored.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// The 16 bytes to store.
    public var bytes: Data {
        withUnsafeBytes(of: (high, low)) { Data($0) }
    }
}

extension SHA256 {
    fileprivate mutating func update(length: Int) {
        withUnsafeBytes(of: UInt64(length).littleEndian) { update(bufferPointer: $0) }
    }
}
