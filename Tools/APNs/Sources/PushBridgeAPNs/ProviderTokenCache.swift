import Foundation

/// Reuses a provider token for 55 minutes, and does not renew it earlier than APNs allows.
///
/// If a folder is given, a file in the folder keeps the token for later runs with the same key. Only the user
/// can read this file.
struct ProviderTokenCache: Sendable {
    static let reuse: TimeInterval = 55 * 60

    let key: ProviderKey
    private let folder: URL?
    private var last: Signed?
    /// Whether the last token is stored for the next run.
    ///
    /// The value is also `true` if there is no folder, because then no token has to be stored.
    private(set) var isKept = true

    private struct Signed {
        let token: String
        let issued: Date

        func isUsable(at now: Date) -> Bool {
            ProviderKey.refusal(issuedAt: issued, at: now) == nil && now.timeIntervalSince(issued) < reuse
        }
    }

    init(_ key: ProviderKey, in folder: URL?) {
        self.key = key
        self.folder = folder
    }

    /// Returns the token for the next request.
    mutating func token(at now: Date) throws -> String {
        if let last, last.isUsable(at: now) { return last.token }
        if let kept = kept(), kept.isUsable(at: now) {
            last = kept
            return kept.token
        }
        return try sign(at: now)
    }

    /// Replaces a token that APNs rejected as expired.
    ///
    /// Returns `false` if it is too early for a new token.
    mutating func renew(_ refused: String, at now: Date) throws -> Bool {
        // Another push or another run may already have renewed the token.
        guard let last, last.token == refused else { return true }
        if let kept = kept(), kept.token != refused, kept.isUsable(at: now) {
            self.last = kept
            return true
        }
        guard now.timeIntervalSince(last.issued) >= ProviderKey.shortestRenewal else { return false }
        _ = try sign(at: now)
        return true
    }

    private mutating func sign(at now: Date) throws -> String {
        let token = try key.token(issuedAt: now)
        last = Signed(token: token, issued: now)
        isKept = keep(token, at: now)
        return token
    }
}

extension ProviderTokenCache {
    private var file: URL? { folder?.appendingPathComponent(key.name) }

    /// Returns the token in the cache file; `nil` if the file contains no token of this key.
    private func kept() -> Signed? {
        guard let file, let bytes = FileManager.default.contents(atPath: file.path) else { return nil }
        let token = String(decoding: bytes, as: UTF8.self)
        return key.issueDate(of: token).map { Signed(token: token, issued: $0) }
    }

    /// Stores a token for the next run, and removes expired tokens.
    ///
    /// - Returns: Whether the token was stored; also `true` if there is no folder. If the result is `false`, only this
    ///   run uses the token.
    private func keep(_ token: String, at now: Date) -> Bool {
        guard let folder, let file else { return true }
        let files = FileManager.default
        do {
            try files.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            for other in try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
                let attributes = try files.attributesOfItem(atPath: other.path)
                let age = now.timeIntervalSince(attributes[.modificationDate] as? Date ?? now)
                if age > ProviderKey.tokenLifetime { try files.removeItem(at: other) }
            }
        } catch {
            // The new token is stored even if old tokens cannot be removed. Otherwise every run would sign a
            // new token.
        }
        let own: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        return files.createFile(atPath: file.path, contents: Data(token.utf8), attributes: own)
    }
}
