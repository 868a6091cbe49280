#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
#endif

extension Request {
    /// The request as URLSession takes it; `nil` if the address is none of the web or the body cannot be encoded.
    ///
    /// Adds the header fields that the legacy API sends with every request, except where they are set.
    public func build() -> URLRequest? {
        guard let address, let body = encodedBody() else { return nil }
        var request = URLRequest(url: address, timeoutInterval: timeoutInterval)
        request.httpMethod = method.rawValue
        request.httpShouldHandleCookies = false
        for (name, value) in LegacyHeaders.all { request.setValue(value, forHTTPHeaderField: name) }
        request.setValue(responseType.rawValue, forHTTPHeaderField: "Accept")
        if case .data(let data) = body {
            request.httpBody = data
            request.setValue(requestType.rawValue, forHTTPHeaderField: "Content-Type")
        }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// The address with the query items added; what was there stays as it was spelled.
    var address: URL? {
        guard let url = URL(string: urlParams.isEmpty ? url : urlWithParams) else { return nil }
        let isWeb = ["http", "https"].contains(url.scheme?.lowercased())
        return isWeb && url.host?.isEmpty == false ? url : nil
    }

    private var urlWithParams: String {
        let fragment = url.drop { $0 != "#" }
        let base = url.dropLast(fragment.count)
        let separator = base.contains("?") ? "&" : "?"
        return base + separator + Self.form(urlParams) + fragment
    }

    private enum Body {
        case none
        case data(Data)
    }

    private func encodedBody() -> Body? {
        if method == .GET || (method == .DELETE && bodyParams.isEmpty) { return Body.none }
        return jsonOrFormBody.map(Body.data)
    }

    /// The body as bytes; `nil` if it cannot be JSON.
    var jsonOrFormBody: Data? {
        guard requestType == .json else {
            return Data(Self.form(bodyParams.mapValues { "\($0)" }).utf8)
        }
        guard JSONSerialization.isValidJSONObject(bodyParams) else { return nil }
        do {
            return try JSONSerialization.data(
                withJSONObject: bodyParams,
                options: [.sortedKeys, .withoutEscapingSlashes]
            )
        } catch {
            FRALog.e("The body of \(description) cannot be encoded.")
            return nil
        }
    }

    private static func form(_ values: [String: String]) -> String {
        values.sorted { $0.key < $1.key }
            .map { "\(encoded($0.key))=\(encoded($0.value))" }
            .joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
    )
}
