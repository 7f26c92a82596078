// A web application with github.com/coreos/go-oidc and golang.org/x/oauth2, as their documentation shows.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

// What belongs to one browser. A real application has a session store.
type browser struct {
	state, verifier string
	token           *oauth2.Token
	claims          map[string]any
}

var (
	mutex    sync.Mutex
	browsers = map[string]*browser{}
)

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func browserOf(w http.ResponseWriter, r *http.Request) *browser {
	mutex.Lock()
	defer mutex.Unlock()
	if cookie, err := r.Cookie("browser"); err == nil && browsers[cookie.Value] != nil {
		return browsers[cookie.Value]
	}
	id := random()
	browsers[id] = &browser{}
	http.SetCookie(w, &http.Cookie{Name: "browser", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	return browsers[id]
}

func main() {
	ctx := context.Background()
	base := os.Getenv("BASE_URL")
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  base + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	idTokens := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	answer := func(w http.ResponseWriter, value any, err error) {
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("content-type", "application/json")
		json.NewEncoder(w).Encode(value)
	}

	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		answer(w, map[string]any{"user": browserOf(w, r).claims}, nil)
	})

	http.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		b := browserOf(w, r)
		b.state, b.verifier = random(), random()
		challenge := sha256.Sum256([]byte(b.verifier))
		http.Redirect(w, r, config.AuthCodeURL(b.state,
			oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(challenge[:])),
			oauth2.SetAuthURLParam("code_challenge_method", "S256"),
		), http.StatusFound)
	})

	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		b := browserOf(w, r)
		if b.state == "" || r.URL.Query().Get("state") != b.state {
			http.Error(w, "wrong state", http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(ctx, r.URL.Query().Get("code"), oauth2.SetAuthURLParam("code_verifier", b.verifier))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		rawIDToken, _ := token.Extra("id_token").(string)
		idToken, err := idTokens.Verify(ctx, rawIDToken)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		b.token, b.state = token, ""
		idToken.Claims(&b.claims)
		http.Redirect(w, r, "/", http.StatusFound)
	})

	http.HandleFunc("/userinfo", func(w http.ResponseWriter, r *http.Request) {
		info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(browserOf(w, r).token))
		claims := map[string]any{}
		if err == nil {
			err = info.Claims(&claims)
		}
		answer(w, claims, err)
	})

	http.HandleFunc("/refresh", func(w http.ResponseWriter, r *http.Request) {
		b := browserOf(w, r)
		expired := &oauth2.Token{RefreshToken: b.token.RefreshToken, Expiry: time.Unix(1, 0)}
		token, err := config.TokenSource(ctx, expired).Token()
		if err == nil {
			b.token = token
		}
		answer(w, map[string]bool{"refreshed": err == nil}, err)
	})

	http.HandleFunc("/logout", func(w http.ResponseWriter, r *http.Request) {
		b := browserOf(w, r)
		var metadata struct {
			EndSessionEndpoint string `json:"end_session_endpoint"`
		}
		if err := provider.Claims(&metadata); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		hint, _ := b.token.Extra("id_token").(string)
		query := url.Values{"id_token_hint": {hint}, "post_logout_redirect_uri": {base + "/"}}
		b.token, b.claims = nil, nil
		http.Redirect(w, r, metadata.EndSessionEndpoint+"?"+query.Encode(), http.StatusFound)
	})

	listener, err := net.Listen("tcp", "localhost:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Listening")
	log.Fatal(http.Serve(listener, nil))
}
