import Foundation

extension OathCredential {
    /// The credential that a registration code would make, under a new id; stores nothing.
    ///
    /// ``OathClient/addCredentialFromUri(_:)`` is what enrols.
    public static func fromUri(_ uri: String) throws -> OathCredential {
        try OathRegistration(oathURI: uri).credential(id: UUID().uuidString, createdAt: Date())
    }

    /// The credential as an `otpauth` URI, which holds the secret.
    public func toUri() -> String {
        var registration = OathRegistration(account: account, password: password, movingFactor: movingFactor)
        registration.userId = userId
        registration.resourceId = resourceId
        return registration.uri()
    }
}

extension OathRegistration {
    /// Reads a registration code with the API's errors.
    init(oathURI uri: String) throws(OathError) {
        do {
            try self.init(uri: uri)
        } catch {
            throw OathError(error, in: uri)
        }
    }
}
