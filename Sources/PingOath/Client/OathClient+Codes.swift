extension OathClient {
    /// The code of a credential: for the present time, or for the present counter.
    ///
    /// A counter is stored moved on before its code is handed out, so no two calls get the code of one counter.
    /// Throws ``OathError/credentialNotFound(_:)``, ``OathError/credentialLocked(_:)``, and
    /// ``OathError/codeGenerationFailed(_:_:)`` where no right code exists, as happens with MD5; a counter moves on
    /// even so, so the next call may succeed.
    public func generateCode(_ credentialId: String) async throws -> String {
        try await generateCodeWithValidity(credentialId).code
    }

    /// The code of a credential and how long it lasts; see ``generateCode(_:)``.
    public func generateCodeWithValidity(_ credentialId: String) async throws -> OathCodeInfo {
        guard var credential = try await credential(credentialId) else {
            throw OathError.credentialNotFound(credentialId)
        }
        guard !credential.isLocked else { throw OathError.credentialLocked(credentialId) }
        guard credential.oathType == .hotp else {
            return try credential.nextCode(at: configuration.now()).get()
        }
        return try await nextCounterCode(credentialId)
    }

    private func nextCounterCode(_ credentialId: String) async throws -> OathCodeInfo {
        let now = configuration.now()
        let code = try await changing { vault in
            try await vault.update(credentialId) { stored in
                guard !stored.isLocked else { throw OathError.credentialLocked(credentialId) }
                return try stored.nextCode(at: now)
            }
        }
        guard let code else { throw OathError.credentialNotFound(credentialId) }
        return try code.get()
    }
}
