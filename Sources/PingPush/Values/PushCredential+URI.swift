import Foundation

extension PushCredential {
    /// The credential that a registration code would make, under a new id; registers and stores nothing.
    ///
    /// ``PushClient/addCredentialFromUri(_:)`` is what enrols.
    public static func fromUri(_ uri: String) throws -> PushCredential {
        try PushRegistration(pushURI: uri).credential(id: UUID().uuidString, createdAt: Date())
    }
}

extension PushRegistration {
    /// Reads a registration code with the API's errors.
    init(pushURI uri: String) throws(PushError) {
        do {
            try self.init(uri: uri)
        } catch {
            throw PushError(error)
        }
    }
}
