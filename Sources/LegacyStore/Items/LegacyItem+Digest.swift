import Crypto
import Foundation

extension LegacyItem {
    /// What an item is called and what it holds, in 32 bytes; where it lies does not count.
    public struct Digest: Hashable, Sendable {
        private let bytes: Data

        fileprivate init(_ parts: [Data]) {
            var hash = SHA256()
            for part in parts {
                // Each behind its count, so that no two lists of parts look alike.
                withUnsafeBytes(of: UInt64(part.count).littleEndian) { hash.update(bufferPointer: $0) }
                hash.update(data: part)
            }
            bytes = Data(hash.finalize())
        }
    }

    /// Tells this item from what may lie in its place later.
    public var digest: Digest {
        Digest([
            Data(service.rawValue.utf8), Data(key.utf8), Data([accessGroup == nil ? 0 : 1]),
            Data((accessGroup ?? "").utf8), payload.content,
        ])
    }
}

extension LegacyItem.Payload {
    /// The bytes that tell two payloads apart; of a readable one, its value.
    var content: Data {
        switch self {
        case .archive(let bytes), .json(let bytes), .exportedJSON(let bytes), .newSDK(let bytes): bytes
        case .unreadable(let error): Data(error.reason.utf8)
        }
    }
}
