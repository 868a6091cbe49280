import Foundation
import PushBridgeCommandLine
@_spi(PushBridgeTools) import PushBridgeCore
@_spi(PushBridgeTools) import PushBridgePlatform

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The page that shows a registration code, as `simulate` tells of it: servers say 200 to a device for which it no longer
/// waits, and store nothing.
struct RegistrationPage {
    private let control: String

    /// Names the address of control.
    init(_ control: String) { self.control = control }

    /// Says that the page no longer waited for the device, or that it cannot be asked.
    /// - Throws: A failure if the server has not stored the device: no push will come to it.
    func tell(of uri: String, to output: PhoneOutput) async throws {
        let id: String
        do {
            id = try PushRegistration(uri: uri).messageId
        } catch {
            // No page waits for a code without push.
            return
        }
        let state = await state(of: id)
        guard state != "registered" else { return }
        let words =
            switch state {
            case "expired": "the page of the code no longer waited"
            case let state?: "the page of the code says \(state)"
            case nil: "whether the server stored this phone is unknown: --control could not be asked"
            }
        try output.tell("notStored", ["state": .optional(state)], words)
        guard state != nil else { return }
        throw CommandFailure(
            status: .needsAttention,
            sentence: "The server has not stored this phone, so no push will come: enrol it with a new code."
        )
    }

    /// The content of the page; `nil` without an answer.
    private func state(of messageId: String) async -> String? {
        let name = messageId.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        guard let url = URL(string: "\(control)/registrations/\(name)") else { return nil }
        do {
            let (data, _) = try await URLSessionTransport().exchange(URLRequest(url: url), timeout: 30)
            return JSONValue(json: data)?["state"]?.plainText
        } catch {
            return nil
        }
    }
}
