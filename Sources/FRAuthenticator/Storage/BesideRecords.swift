import FRCore
import Foundation
import LegacyStore
import PushBridgeCore

/// What archives have no fields for, kept in an item of ours beside the legacy SDK's: servers that do not know the device
/// token, and removals that servers owe.
///
/// Losing it loses no account: servers are told the token again, and a removal is asked for again.
struct BesideRecords: Sendable {
    private let keychain: LegacyKeychain

    init(_ keychain: LegacyKeychain) {
        self.keychain = keychain
    }

    /// A memory with what is kept; a token that the legacy SDK stored since counts instead of the kept one.
    func merged(into memory: StorageClientCache) -> StorageClientCache {
        var merged = memory
        guard let kept = read() else { return merged }
        merged.kept = kept
        // Dates do not say which is later: the phone's clock may have been set back between them.
        if kept.token != nil, let stored = storedToken, stored != kept.stored { merged.token = nil }
        return merged
    }

    /// Keeps what outlives the process, if it is not what is kept already.
    func keep(_ kept: StorageClientCache.Kept) {
        var kept = kept
        kept.stored = kept.token == nil ? nil : storedToken
        let isNothing = kept.token == nil && kept.owedRemovals.isEmpty
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            let data = try isNothing ? nil : encoder.encode(kept)
            if try keychain.beside != data { try keychain.keepBeside(data) }
        } catch {
            FRALog.w("What the legacy store has no place for was not kept: \(LegacyError.reason(error))")
        }
    }

    private func read() -> StorageClientCache.Kept? {
        do {
            return try keychain.beside.map {
                try JSONDecoder().decode(StorageClientCache.Kept.self, from: $0)
            }
        } catch {
            FRALog.w("What is kept beside the legacy store cannot be read: \(LegacyError.reason(error))")
            return nil
        }
    }

    private var storedToken: StorageClientCache.StoredToken? {
        do {
            let held = try keychain.item("deviceToken", of: .deviceToken)
            if case .success(.deviceToken(let token)) = held?.record {
                return .init(token: token.token, createdAt: token.createdAt)
            }
        } catch {
            FRALog.w("The device token cannot be read: \(LegacyError.reason(error))")
        }
        return nil
    }
}
