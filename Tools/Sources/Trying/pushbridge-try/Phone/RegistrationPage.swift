import Foundation
import PushBridgeCommandLine
import PushBridgeCore
@_spi(PushBridgeTools) import PushBridgePlatform

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The state of a registration page.
///
/// If the page no longer waits for a device, servers still respond to a registration with 200, but do not store the
/// device. So the phone queries the state of the page from `simulate`.
struct RegistrationPage {
    private let control: String

    /// Stores the control address.
    init(_ control: String) { self.control = control }

    /// Unless the server has stored the device, reports the state of the page, or that the control address did not
    /// respond.
    /// - Throws: A failure if the server has not stored the device. The device then receives no pushes.
    func report(of uri: String, to output: PhoneOutput) async throws {
        let id: String
        do {
            id = try PushRegistration(uri: uri).messageId
        } catch {
            // A code without a push credential has no page.
            return
        }
        let state = await state(of: id)
        guard state != "registered" else { return }
        let words =
            switch state {
            case "expired": "the registration page no longer waited for this phone"
            case let state?: "the registration page reports the state \(state)"
            case nil:
                "the control address (--control) did not respond, so it is unknown whether the server stored this phone"
            }
        try output.report("notStored", ["state": .optional(state)], words)
        guard state != nil else { return }
        throw CommandFailure(
            status: .needsAttention,
            sentence:
                "The server has not stored this phone, so no push will arrive: enrol the phone with a new code."
        )
    }

    /// Returns the state of the page; `nil` if there is no response.
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
