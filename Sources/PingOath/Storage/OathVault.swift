import PushBridgePlatform

/// A storage with changes that do not get into each other's way: transactions where it is over a store, turns where
/// it is an app's own.
struct OathVault: Sendable {
    let storage: any OathStorage
    private let queue = SerialQueue()

    init(_ storage: any OathStorage) {
        self.storage = storage
    }

    func credential(_ id: String) async throws -> OathCredential? {
        try await storing { try await storage.retrieveOathCredential(credentialId: id) }
    }

    func credentials() async throws -> [OathCredential] {
        try await storing { try await storage.getAllOathCredentials() }
    }

    /// Changes the stored credential with an id and stores it, unless it stayed the same; `nil` if there is none.
    func update<Value: Sendable>(
        _ id: String,
        _ change: @escaping @Sendable (inout OathCredential) throws -> Value
    ) async throws -> Value? {
        if let store = (storage as? any StoreBackedOathStorage)?.store {
            return try storing { try store.write { try $0.update(id, change) } }
        }
        return try await inTurn { storage in
            guard let stored = try await storage.retrieveOathCredential(credentialId: id) else { return nil }
            var credential = stored
            let value = try change(&credential)
            if credential != stored { try await storage.storeOathCredential(credential) }
            return value
        }
    }

    /// Stores what `change` makes of the credential stored under the id of `credential`, or `credential` itself.
    func save(
        _ credential: OathCredential,
        mergedWith merge: @escaping @Sendable (OathCredential) -> OathCredential
    ) async throws -> OathCredential {
        if let store = (storage as? any StoreBackedOathStorage)?.store {
            return try storing {
                try store.write { view in
                    let merged = try view.oathCredential(id: credential.id).map(merge) ?? credential
                    try view.save(merged)
                    try view.share(merged.account)
                    return merged
                }
            }
        }
        return try await inTurn { storage in
            let stored = try await storage.retrieveOathCredential(credentialId: credential.id)
            let merged = stored.map(merge) ?? credential
            try await storage.storeOathCredential(merged)
            return merged
        }
    }

    /// Stores a new credential, which joins its account, or throws ``OathError/duplicateCredential(_:)``; answers it
    /// as stored.
    func add(_ credential: OathCredential) async throws -> OathCredential {
        if let store = (storage as? any StoreBackedOathStorage)?.store {
            return try storing {
                try store.write { view in
                    try credential.refuseDuplicate(
                        among: view.oathCredentials(account: credential.account.key)
                    )
                    return try view.enrol(credential)
                }
            }
        }
        return try await inTurn { storage in
            try credential.refuseDuplicate(among: await storage.getAllOathCredentials())
            try await storage.storeOathCredential(credential)
            return credential
        }
    }

    func remove(_ id: String) async throws -> Bool {
        try await inTurn { try await $0.removeOathCredential(credentialId: id) }
    }

    private func inTurn<Value: Sendable>(
        _ body: @escaping @Sendable (any OathStorage) async throws -> Value
    ) async throws -> Value {
        let storage = storage
        return try await storing { try await queue.run { try await body(storage) } }
    }
}

extension CredentialWriting {
    fileprivate func update<Value>(
        _ id: String,
        _ change: (inout OathCredential) throws -> Value
    ) throws -> Value? {
        guard let stored = try oathCredential(id: id) else { return nil }
        var credential = stored
        let value = try change(&credential)
        if credential != stored { try save(credential) }
        if credential.account != stored.account { try share(credential.account) }
        return value
    }
}

extension OathCredential {
    fileprivate func refuseDuplicate(among stored: [OathCredential]) throws(OathError) {
        let same = stored.first { other in
            other.account.key == account.key && other.oathType == oathType
                && other.password.secret == password.secret
        }
        if let same { throw .duplicateCredential(same.id) }
    }
}
