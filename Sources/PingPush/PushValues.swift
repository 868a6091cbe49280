import Foundation
public import PushBridgeCore

extension PushCredential {
    /// The credential that a registration code would make, under a new id; registers and stores nothing.
    ///
    /// ``PushClient/addCredentialFromUri(_:)`` is what enrols.
    /// - Parameter uri: The text of the code.
    /// - Returns: The credential.
    /// - Throws: ``PushError/invalidUri(_:)`` and its like for a code that cannot be read.
    public static func fromUri(_ uri: String) throws -> PushCredential {
        do {
            return try PushRegistration(uri: uri).credential(id: UUID().uuidString, createdAt: Date())
        } catch {
            throw PushError(error)
        }
    }

    /// The registration code that the credential was enrolled with; holds the secret, so it is for no log and no screen.
    ///
    /// - Returns: The text of the code.
    /// - Throws: ``PushError/uriFormatting(_:)`` for a credential whose code is not known any more, as that of one
    ///   imported from a migration export is.
    public func toUri() throws -> String {
        guard let known = legacy?.registration, let messageId = known.messageId,
            let challenge = known.challenge
        else { throw PushError.uriFormatting("The code that enrolled it is not known any more.") }
        guard let bytes = challenge.withUTF8({ Base64.decode($0) }) else {
            throw PushError.uriFormatting("The challenge of its registration is not base64.")
        }
        var registration = PushRegistration(
            account: account,
            endpoints: endpoints,
            sharedSecret: sharedSecret,
            challenge: bytes,
            messageId: messageId
        )
        registration.loadBalancer = known.loadBalancer
        registration.userId = userId
        registration.deviceResourceId = deviceResourceId
        return registration.uri()
    }
}

extension PushNotification {
    /// The numbers to choose from; what is no number in the server's text is left out.
    public func getNumbersChallenge() -> [Int] { numbers }

    /// Whether the server stopped waiting by now; the push may still be answered, the server decides.
    public var isExpired: Bool { isExpired(at: Date()) }
}
